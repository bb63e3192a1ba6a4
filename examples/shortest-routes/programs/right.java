// Must pass every test: Dijkstra with a heap.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

public class Main {
    private static final StreamTokenizer tokens =
            new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));

    private static int next() throws IOException {
        tokens.nextToken();
        return (int) tokens.nval;
    }

    public static void main(String[] arguments) throws IOException {
        int n = next(), m = next();
        List<List<int[]>> roads = new ArrayList<>();
        for (int town = 0; town <= n; town++) roads.add(new ArrayList<>());
        for (int i = 0; i < m; i++) {
            int from = next();
            roads.get(from).add(new int[] {next(), next()});
        }
        long[] length = new long[n + 1];
        Arrays.fill(length, -1);
        PriorityQueue<long[]> open = new PriorityQueue<>((x, y) -> Long.compare(x[0], y[0]));
        open.add(new long[] {0, 1});
        while (!open.isEmpty()) {
            long[] stop = open.poll();
            int town = (int) stop[1];
            if (length[town] >= 0) continue;
            length[town] = stop[0];
            for (int[] road : roads.get(town))
                if (length[road[0]] < 0) open.add(new long[] {stop[0] + road[1], road[0]});
        }
        System.out.println(length[n]);
    }
}
