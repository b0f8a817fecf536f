// A test server for whittle that runs javac, or a Java program, in one Java machine:
//
//	java Server.java [--exit CODES] [--lines LEAST MOST REGEXP]... -- java|javac ARG...
//
// {} in the arguments is the candidate; without it that is the standard input. A candidate
// is interesting if the command ends with one of the exit codes (default 0; or any), and at least
// LEAST and at most MOST lines of its output match (MOST 0 is any number). Each candidate
// gets a class loader, streams and system properties of its own. A program that leaves
// threads behind makes the server end; whittle starts another.

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

class Server {
  /** How many lines of the output may match a pattern. */
  static class Lines {
    int least;
    int most;
    Pattern pattern;

    boolean hold(String[] output) {
      int n = 0;
      for (String line : output) {
        if (pattern.matcher(line).find()) {
          n++;
        }
      }
      return n >= least && (most == 0 || n <= most);
    }
  }

  /** Ends the program's thread when it calls System.exit. */
  static class Exit extends Error {
    Exit() {
      super(null, null, false, false);
    }
  }

  static final int MOST_ANSWERS = 500;
  static final List<String> PATHS =
      Arrays.asList("-cp", "-classpath", "--class-path", "-d", "-s", "-h", "-sourcepath", "--source-path",
          "-p", "--module-path", "-processorpath", "--processor-path");

  final List<Integer> exits = new ArrayList<>();
  boolean anyExit;
  final List<Lines> lines = new ArrayList<>();
  String[] words;
  static volatile boolean ended; // the server itself may end now
  volatile Integer exited; // the code that the program has ended with by itself

  public static void main(String[] args) throws Exception {
    Server server = new Server();
    server.parse(args);
    PrintStream answers = System.out;
    InputStream paths = System.in;
    try {
      System.setSecurityManager(server.new Exits());
    } catch (UnsupportedOperationException | NoSuchMethodError e) {
      System.err.println("System.exit ends this server: this Java has no security manager");
    }
    for (int i = 0; i < MOST_ANSWERS; i++) {
      String path = readLine(paths);
      if (path == null) {
        break;
      }
      ThreadGroup group = new ThreadGroup("program");
      answers.println(server.ask(Path.of(path), group));
      answers.flush();
      if (group.activeCount() > 0) {
        break; // what is left would disturb the next
      }
    }
    end(0);
  }

  static String readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c; (c = in.read()) != '\n'; ) {
      if (c < 0) {
        return null;
      }
      line.write(c);
    }
    return line.toString();
  }

  void parse(String[] args) {
    int i = 0;
    for (; i < args.length && !args[i].equals("--"); i++) {
      switch (args[i]) {
        case "--exit":
          anyExit = args[++i].equals("any");
          for (String code : anyExit ? new String[0] : args[i].split(",")) {
            exits.add(Integer.valueOf(code));
          }
          break;
        case "--lines":
          Lines l = new Lines();
          l.least = Integer.parseInt(args[++i]);
          l.most = Integer.parseInt(args[++i]);
          l.pattern = Pattern.compile(args[++i]);
          lines.add(l);
          break;
        default:
          refuse("there is no flag " + args[i]);
      }
    }
    if (i + 1 >= args.length) {
      refuse("give it the command behind --, as: -- javac {}");
    }
    words = Arrays.copyOfRange(args, i + 1, args.length);
    if (exits.isEmpty()) {
      exits.add(0);
    }
  }

  static void refuse(String why) {
    System.err.println(why);
    end(2);
  }

  static void end(int code) {
    ended = true;
    Runtime.getRuntime().halt(code);
  }

  /** Returns the answer for a candidate. */
  String ask(Path file, ThreadGroup group) throws Exception {
    String dir = file.getParent() + "/";
    boolean named = false;
    List<String> args = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      String w = words[i];
      named |= w.contains("{}");
      if (PATHS.contains(words[i - 1])) {
        w = absolute(w, dir);
      }
      args.add(w.replace("{}", file.toString()));
    }
    byte[] content = named ? new byte[0] : Files.readAllBytes(file);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true);
    Properties before = (Properties) System.getProperties().clone();
    PrintStream stdout = System.out;
    PrintStream stderr = System.err;
    exited = null;
    int code;
    try {
      System.setIn(new ByteArrayInputStream(content));
      System.setOut(out);
      System.setErr(out);
      if (Path.of(words[0]).getFileName().toString().startsWith("javac")) {
        code = compile(args, out, group);
      } else {
        code = start(args, dir, out, group);
      }
    } finally {
      System.setOut(stdout);
      System.setErr(stderr);
      System.setProperties(before);
    }
    out.flush();
    String[] output = printed.toString().replace(dir, "").split("\r?\n");
    boolean all = anyExit || exits.contains(code);
    for (Lines l : lines) {
      all &= l.hold(output);
    }
    if (System.getenv("WHITTLE_SERVER_VERBOSE") != null) {
      System.err.println("exit code " + code + "\n" + String.join("\n", output));
    }
    return code < 0 ? "unresolved" : all ? "interesting" : "uninteresting";
  }

  /** Returns a list of paths with those made absolute that are relative to a directory. */
  static String absolute(String list, String dir) {
    List<String> parts = new ArrayList<>();
    for (String part : list.split(":")) {
      parts.add(part.startsWith("/") || part.startsWith("{}") ? part : dir + part);
    }
    return String.join(":", parts);
  }

  int compile(List<String> args, PrintStream out, ThreadGroup group) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int[] code = {-1};
    Thread t = new Thread(group, () -> code[0] = compiler.run(null, out, out, args.toArray(new String[0])), "main");
    t.start();
    t.join();
    return code[0];
  }

  /** Starts a program as the java command does, and returns its exit code; -1 if that is not known. */
  int start(List<String> args, String dir, PrintStream out, ThreadGroup parent) throws Exception {
    String path = dir;
    boolean asserts = false;
    int i = 0;
    for (; i < args.size() && args.get(i).startsWith("-") && !args.get(i).equals("-jar"); i++) {
      String a = args.get(i);
      if (a.equals("-cp") || a.equals("-classpath") || a.equals("--class-path")) {
        path = args.get(++i);
      } else if (a.startsWith("-D")) {
        String[] p = a.substring(2).split("=", 2);
        System.setProperty(p[0], p.length > 1 ? p[1] : "");
      } else if (a.equals("-ea") || a.equals("-enableassertions")) {
        asserts = true;
      } else {
        refuse("this server does not know the argument " + a + " of java; give it to the java of the server");
      }
    }
    String name;
    ClassLoader loader;
    if (args.get(i).endsWith(".java")) {
      Source source = new Source(Path.of(args.get(i)));
      if (!source.compile(path, out)) {
        out.println("error: compilation failed");
        return 1;
      }
      name = source.main;
      loader = source.loader(urls(path));
    } else if (args.get(i).equals("-jar")) {
      path = args.get(++i);
      try (JarFile jar = new JarFile(path)) {
        name = jar.getManifest().getMainAttributes().getValue("Main-Class");
      }
      loader = new URLClassLoader(urls(path), ClassLoader.getPlatformClassLoader());
    } else {
      name = args.get(i);
      loader = new URLClassLoader(urls(path), ClassLoader.getPlatformClassLoader());
    }
    loader.setDefaultAssertionStatus(asserts);
    return run(loader, name, args.subList(i + 1, args.size()).toArray(new String[0]), parent);
  }

  static URL[] urls(String path) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String part : path.split(":")) {
      urls.add(Path.of(part).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  int run(ClassLoader loader, String name, String[] args, ThreadGroup parent) throws Exception {
    Throwable[] thrown = {null};
    ThreadGroup group = new ThreadGroup(parent, "main") {
      @Override
      public void uncaughtException(Thread t, Throwable e) {
        if (!(e instanceof Exit)) {
          super.uncaughtException(t, e);
        }
      }
    };
    Thread main = new Thread(group, () -> {
      try {
        Method method = Class.forName(name, true, loader).getMethod("main", String[].class);
        method.setAccessible(true);
        method.invoke(null, (Object) args);
      } catch (InvocationTargetException e) {
        thrown[0] = e.getCause();
      } catch (Throwable e) {
        thrown[0] = e;
      }
      if (thrown[0] != null) {
        withoutServer(thrown[0]);
        Server.<Error>rethrow(thrown[0]);
      }
    }, "main");
    main.setContextClassLoader(loader);
    main.start();
    main.join();
    while (exited == null && running(group)) {
      Thread.sleep(1);
    }
    if (exited != null) {
      return thrown[0] instanceof Exit || running(group) ? exited : -1;
    }
    return thrown[0] == null ? 0 : 1;
  }

  /** Takes the frames of the server from the end of a stack. */
  static void withoutServer(Throwable e) {
    StackTraceElement[] frames = e.getStackTrace();
    int n = frames.length;
    Pattern ours = Pattern.compile("Server|java\\.lang\\.(Thread|Class|reflect\\..*)|jdk\\.internal\\.reflect\\..*");
    while (n > 0 && ours.matcher(frames[n - 1].getClassName()).matches()) {
      n--;
    }
    e.setStackTrace(Arrays.copyOf(frames, n));
  }

  @SuppressWarnings("unchecked")
  static <T extends Throwable> void rethrow(Throwable e) throws T {
    throw (T) e;
  }

  /** Reports whether threads are left that keep a Java machine running. */
  static boolean running(ThreadGroup group) {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int n = group.enumerate(threads);
    for (int i = 0; i < n; i++) {
      if (!threads[i].isDaemon()) {
        return true;
      }
    }
    return false;
  }

  /** Catches System.exit. */
  class Exits extends SecurityManager {
    @Override
    public void checkExit(int status) {
      if (ended) {
        return;
      }
      if (exited == null) {
        exited = status;
      }
      throw new Exit();
    }

    @Override
    public void checkPermission(Permission p) {}

    @Override
    public void checkPermission(Permission p, Object context) {}
  }

  /** A program of one source file, compiled in memory as the java command does it. */
  static class Source extends SimpleJavaFileObject {
    final Path path;
    final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();
    String main;

    Source(Path path) {
      super(path.toUri(), Kind.SOURCE);
      this.path = path;
    }

    @Override
    public String getName() {
      return path.toString();
    }

    @Override
    public CharSequence getCharContent(boolean ignore) throws IOException {
      return Files.readString(path);
    }

    @Override
    public boolean isNameCompatible(String name, Kind kind) {
      return kind == Kind.SOURCE;
    }

    boolean compile(String classPath, PrintStream out) throws IOException {
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      JavaFileManager files =
          new ForwardingJavaFileManager<JavaFileManager>(compiler.getStandardFileManager(null, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location l, String name, Kind kind, FileObject sibling) {
              return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                  ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                  classes.put(name, bytes);
                  return bytes;
                }
              };
            }
          };
      List<String> options = Arrays.asList("-proc:none", "-Xdiags:verbose", "-Xlint:deprecation", "-Xlint:unchecked",
          "-Xlint:-options", "-cp", classPath);
      JavacTask task = (JavacTask) compiler.getTask(new java.io.PrintWriter(out, true), files, null, options, null,
          Arrays.asList(this));
      for (CompilationUnitTree unit : task.parse()) {
        String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        for (Tree type : unit.getTypeDecls()) {
          if (main == null && type instanceof ClassTree) {
            main = prefix + ((ClassTree) type).getSimpleName();
          }
        }
      }
      task.analyze();
      boolean compiled = task.generate().iterator().hasNext() && !classes.isEmpty();
      return compiled && main != null;
    }

    ClassLoader loader(URL[] urls) {
      return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()) {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
          synchronized (getClassLoadingLock(name)) {
            ByteArrayOutputStream bytes = classes.get(name);
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && bytes != null) {
              loaded = defineClass(name, bytes.toByteArray(), 0, bytes.size());
            }
            return loaded != null ? loaded : super.loadClass(name, resolve);
          }
        }
      };
    }
  }
}
