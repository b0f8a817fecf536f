import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XQueryEvaluator;
import net.sf.saxon.s9api.XQueryExecutable;
import org.basex.core.BaseXException;
import org.basex.core.Context;
import org.basex.core.MainOptions;
import org.basex.core.cmd.Close;
import org.basex.core.cmd.CreateDB;
import org.basex.core.cmd.Set;
import org.basex.core.cmd.XQuery;

/**
 * A test server: a document is interesting if BaseX and Saxon answer the query,
 * the only argument, differently.
 */
public class BaseXServer {
  private final String query;
  private final Context basex = new Context();
  private final Processor saxon = new Processor(false);
  private final XQueryExecutable compiled;

  BaseXServer(String query) throws SaxonApiException, BaseXException {
    this.query = query;
    compiled = saxon.newXQueryCompiler().compile(query);
    new Set(MainOptions.MAINMEM, true).execute(basex);
  }

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // what a library prints is no answer
    BaseXServer server = new BaseXServer(args[0]);
    BufferedReader paths = new BufferedReader(new InputStreamReader(System.in));
    for (String path; (path = paths.readLine()) != null; ) {
      answers.println(server.differs(path) ? "interesting" : "uninteresting");
      answers.flush();
    }
  }

  /** A document that one of the two cannot read is not interesting. */
  private boolean differs(String path) {
    try {
      String ours = askBaseX(path);
      return !ours.isEmpty() && !ours.equals(askSaxon(path));
    } catch (BaseXException | SaxonApiException e) {
      System.err.println(path + ": " + e.getMessage());
      return false;
    }
  }

  private String askBaseX(String path) throws BaseXException {
    new CreateDB("candidate", path).execute(basex);
    try {
      return new XQuery(query).execute(basex);
    } finally {
      new Close().execute(basex); // nothing of this candidate may meet the next
    }
  }

  private String askSaxon(String path) throws SaxonApiException {
    XQueryEvaluator evaluator = compiled.load();
    evaluator.setSource(new StreamSource(new File(path)));
    return evaluator.evaluate().toString();
  }
}
