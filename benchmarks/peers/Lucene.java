// Lucene for `make bench-search`, with the commands of benchmarks/engines.py:
//
//     java -cp LUCENE.jar benchmarks/peers/Lucene.java build TEXTS FOLDER
//     java -cp LUCENE.jar benchmarks/peers/Lucene.java serve FOLDER
//
// One thread writes, one searches. A query costs the CPU-time of its thread alone: what the JVM
// compiles and collects meanwhile is not counted.

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.Version;

public final class Lucene {
    private static final int BEST = 10;
    private static final double BUFFER_MEGABYTES = 500;

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("build")) {
            build(Path.of(arguments[1]), Path.of(arguments[2]));
        } else {
            serve(Path.of(arguments[1]));
        }
    }

    private static void build(Path texts, Path folder) throws IOException {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long begin = system.getProcessCpuTime();
        IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
        config.setRAMBufferSizeMB(BUFFER_MEGABYTES);
        try (IndexWriter writer = new IndexWriter(new MMapDirectory(folder), config);
                BufferedReader lines = Files.newBufferedReader(texts)) {
            for (String line; (line = lines.readLine()) != null; ) {
                Document document = new Document();
                document.add(new TextField("text", line, Field.Store.YES));
                writer.addDocument(document);
            }
            writer.commit();
        }
        double seconds = (system.getProcessCpuTime() - begin) / 1e9;
        System.out.printf("{\"cpu_seconds\": %f, \"version\": \"%s\"}%n", seconds, Version.LATEST);
    }

    private static void serve(Path folder) throws IOException {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        IndexSearcher searcher =
                new IndexSearcher(DirectoryReader.open(new MMapDirectory(folder)));
        searcher.setQueryCache(null);
        Analyzer analyzer = new EnglishAnalyzer();
        QueryBuilder builder = new QueryBuilder(analyzer);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            StringBuilder answer = new StringBuilder();
            for (String text : line.split("\t")) {
                long begin = clock.getCurrentThreadCpuTime();
                int hits = search(searcher, builder, text);
                double milliseconds = (clock.getCurrentThreadCpuTime() - begin) / 1e6;
                answer.append(answer.length() == 0 ? "" : "\t");
                answer.append(milliseconds).append('/').append(hits);
            }
            System.out.println(answer);
        }
    }

    private static int search(IndexSearcher searcher, QueryBuilder builder, String text)
            throws IOException {
        Query query = text.startsWith("\"")
                ? builder.createPhraseQuery("text", text)
                : builder.createBooleanQuery("text", text, BooleanClause.Occur.SHOULD);
        // Nothing but stop words is no query at all.
        return query == null ? 0 : searcher.search(query, BEST).scoreDocs.length;
    }
}
