import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.antlr.v4.Tool;
import org.antlr.v4.misc.CharSupport;
import org.antlr.v4.parse.ANTLRParser;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.antlr.v4.tool.ANTLRMessage;
import org.antlr.v4.tool.ANTLRToolListener;
import org.antlr.v4.tool.ast.GrammarRootAST;

/**
 * Writes down what the ANTLR tool makes of grammars and inputs.
 *
 * <p>Run as java -cp antlr-4.13.1-complete.jar Reference.java DIR... Each DIR holds the .g4 files of one language, a file start.txt
 * ("Grammar.g4 rule") and inputs in DIR/input. What the parser that the tool generates makes of DIR/input/x goes to DIR/tree/x: the
 * tree, one node a line, indented by its depth, or "error line:column" if there is a syntax error. If a grammar cannot be used, DIR/failed
 * says why.
 */
public class Reference {
    private static boolean failed;

    public static void main(String[] args) throws Exception {
        // The generated parsers recurse as deeply as the input nests.
        Thread thread = new Thread(null, () -> all(args), "reference", 1L << 30);
        thread.start();
        thread.join();
        System.exit(failed ? 1 : 0);
    }

    private static void all(String[] dirs) {
        for (String dir : dirs) {
            try {
                new Reference(Path.of(dir)).run();
            } catch (Throwable e) {
                failed = true;
                System.err.println(dir + ": " + e);
                try {
                    Files.writeString(Path.of(dir, "failed"), e + "\n");
                } catch (IOException also) {
                    System.err.println(also);
                }
            }
        }
    }

    private final Path dir;
    private final String start;
    private final Class<? extends Lexer> lexer;
    private final Class<? extends Parser> parser;
    /** The names of token types; the literals, quoted, of those without. */
    private final Map<Integer, String> types = new HashMap<>();

    /** Generates, compiles and loads the lexer and the parser of a directory. */
    private Reference(Path dir) throws Exception {
        this.dir = dir.toAbsolutePath();
        String[] words = Files.readString(dir.resolve("start.txt")).trim().split("\\s+");
        start = words[1];
        Path work = Files.createTempDirectory("reference");
        try {
            List<String> grammars = new ArrayList<>();
            GrammarRootAST root = collect(words[0], grammars);
            generate(grammars, work);
            Path classes = compile(work);
            String name = root.getGrammarName();
            boolean split = root.grammarType == ANTLRParser.PARSER;
            Loader loader = new Loader(classes);
            lexer = loader.find(split ? root.getOptionString("tokenVocab") : name + "Lexer").asSubclass(Lexer.class);
            parser = loader.find(split ? name : name + "Parser").asSubclass(Parser.class);
            readTypes(work.resolve(name + ".tokens"));
        } finally {
            delete(work);
        }
    }

    /** The grammar of a file; its path and those of the vocabularies it needs go to paths. */
    private GrammarRootAST collect(String file, List<String> paths) {
        String path = dir.resolve(file).toString();
        paths.add(path);
        GrammarRootAST root = new Tool(new String[] {"-encoding", "UTF-8"}).parseGrammar(path);
        String vocabulary = root.getOptionString("tokenVocab");
        if (vocabulary != null && Files.exists(dir.resolve(vocabulary + ".g4"))) {
            collect(vocabulary + ".g4", paths);
        }
        return root;
    }

    private void generate(List<String> grammars, Path out) throws IOException {
        List<String> args = new ArrayList<>(List.of("-encoding", "UTF-8", "-no-listener", "-lib", dir.toString(), "-o", out.toString()));
        args.addAll(grammars);
        Tool tool = new Tool(args.toArray(new String[0]));
        StringBuilder errors = new StringBuilder();
        tool.removeListeners();
        tool.addListener(new ANTLRToolListener() {
            @Override
            public void info(String text) {}

            @Override
            public void warning(ANTLRMessage text) {}

            @Override
            public void error(ANTLRMessage message) {
                errors.append(tool.errMgr.getMessageTemplate(message).render()).append('\n');
            }
        });
        tool.processGrammarsOnCommandLine();
        if (tool.getNumErrors() > 0) {
            throw new IOException("the tool refuses the grammar: " + errors);
        }
    }

    /** Compiles what has been generated and what Java code the directory brings, and returns the folder of the classes. */
    private Path compile(Path generated) throws IOException {
        Path classes = Files.createDirectory(generated.resolve("classes"));
        List<String> args = new ArrayList<>(List.of("-encoding", "UTF-8", "-nowarn", "-proc:none", "-Xlint:none",
                "-cp", System.getProperty("java.class.path"), "-d", classes.toString()));
        for (Path folder : List.of(generated, dir)) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(f -> f.toString().endsWith(".java")).forEach(f -> args.add(f.toString()));
            }
        }
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        if (ToolProvider.getSystemJavaCompiler().run(null, errors, errors, args.toArray(new String[0])) != 0) {
            throw new IOException("the generated code does not compile: " + errors);
        }
        return classes;
    }

    /** Fills types, as the generated vocabulary loses letters. A line of the file is NAME=type or 'literal'=type. */
    private void readTypes(Path tokens) throws IOException {
        for (String line : Files.readAllLines(tokens)) {
            int equals = line.lastIndexOf('=');
            String name = line.substring(0, equals);
            int type = Integer.parseInt(line.substring(equals + 1));
            if (name.startsWith("'")) {
                types.putIfAbsent(type, "'" + escape(CharSupport.getStringFromGrammarStringLiteral(name)) + "'");
            } else if (!name.startsWith("T__")) {
                types.put(type, name);
            }
        }
    }

    /** Loads the classes of a folder at once, by their simple names. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> code = new HashMap<>();

        Loader(Path classes) throws IOException {
            super(Reference.class.getClassLoader());
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                    String name = classes.relativize(file).toString();
                    code.put(name.substring(0, name.length() - ".class".length()).replace(File.separatorChar, '.'),
                            Files.readAllBytes(file));
                }
            }
        }

        Class<?> find(String simple) throws ClassNotFoundException {
            for (String name : code.keySet()) {
                if (name.equals(simple) || name.endsWith("." + simple)) {
                    return loadClass(name);
                }
            }
            throw new ClassNotFoundException(simple);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = code.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void run() throws Exception {
        Path trees = Files.createDirectories(dir.resolve("tree"));
        try (Stream<Path> inputs = Files.list(dir.resolve("input"))) {
            for (Path input : inputs.sorted().toList()) {
                Files.writeString(trees.resolve(input.getFileName()), parse(CharStreams.fromPath(input)));
            }
        }
    }

    private String parse(CharStream input) throws Exception {
        First first = new First();
        Lexer lexer = this.lexer.getConstructor(CharStream.class).newInstance(input);
        lexer.removeErrorListeners();
        lexer.addErrorListener(first);
        Parser parser = this.parser.getConstructor(TokenStream.class).newInstance(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(first);
        ParserRuleContext tree;
        try {
            tree = (ParserRuleContext) this.parser.getMethod(start).invoke(parser);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
        if (first.line > 0) {
            return "error " + first.line + ":" + first.column + "\n";
        }
        StringBuilder out = new StringBuilder();
        sketch(out, tree, 0, parser);
        return out.toString();
    }

    /** Remembers the first error by its place. Lexer and parser take turns, so the first that is told may come later in the input. */
    private static final class First extends BaseErrorListener {
        int line;
        int column;

        @Override
        public void syntaxError(Recognizer<?, ?> by, Object symbol, int line, int column, String message, RecognitionException e) {
            if (this.line == 0 || line < this.line || line == this.line && column < this.column) {
                this.line = line;
                this.column = column;
            }
        }
    }

    private void sketch(StringBuilder out, ParseTree node, int depth, Parser parser) {
        out.append("  ".repeat(depth));
        if (node instanceof TerminalNode leaf) {
            sketch(out, leaf.getSymbol());
            return;
        }
        out.append(parser.getRuleNames()[((ParserRuleContext) node).getRuleIndex()]).append('\n');
        for (int i = 0; i < node.getChildCount(); i++) {
            sketch(out, node.getChild(i), depth + 1, parser);
        }
    }

    /** A token is TYPE@offset "text", the offset in code points; its type is the literal if it has no name. */
    private void sketch(StringBuilder out, Token token) {
        out.append(token.getType() == Token.EOF ? "EOF" : types.get(token.getType())).append('@').append(token.getStartIndex());
        if (token.getType() != Token.EOF) {
            int start = token.getStartIndex();
            int stop = token.getStopIndex();
            String text = start > stop ? "" : token.getInputStream().getText(Interval.of(start, stop));
            out.append(" \"").append(escape(text)).append('"');
        }
        out.append('\n');
    }

    /** Text in which all but printable ASCII is in hexadecimal, as is the backslash. */
    private static String escape(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (c < ' ' || c > '~' || c == '\\') {
                out.append("\\u{").append(Integer.toHexString(c)).append('}');
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }
}
