package shop.stock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps count of what is in the shop. */
public final class Inventory<K extends Comparable<K>> implements AutoCloseable {
    private static final int LIMIT = 1 << 10;
    private final Map<K, List<Integer>> counts = new HashMap<>();
    private int changes, refused = 0;

    enum Kind { FRESH, FROZEN(3) { @Override int days() { return 90; } }, DRY;
        private final int shelf;
        Kind() { this(1); }
        Kind(int shelf) { this.shelf = shelf; }
        int days() { return shelf * 7; }
    }

    @FunctionalInterface
    interface Rule<T> { boolean allows(T item, int count) throws IllegalStateException; }

    public synchronized int add(K key, int... amounts) {
        int sum = 0;
        for (int amount : amounts) {
            if (amount < 0 || amount > LIMIT) {
                refused++;
                continue;
            }
            counts.computeIfAbsent(key, k -> new ArrayList<>()).add(amount);
            sum += amount; // only what was taken
        }
        changes += amounts.length > 0 ? 1 : 0;
        return sum;
    }

    public int total(K key, Rule<? super K> rule) {
        try {
            int total = 0;
            for (int i = 0; counts.get(key) != null && i < counts.get(key).size(); i++) {
                int count = counts.get(key).get(i);
                if (rule.allows(key, count)) total += count; else total--;
            }
            return total;
        } catch (IllegalStateException | NullPointerException e) {
            System.err.printf("%s: %s%n", key, e.getMessage());
            return -1;
        } finally {
            changes++;
        }
    }

    @Override
    public void close() {
        switch (changes) {
            case 0: break;
            case 1: System.out.println("one change"); break;
            default: System.out.println(changes + " changes, " + refused + " refused");
        }
    }

    public static void main(String[] args) {
        try (Inventory<String> shop = new Inventory<String>()) {
            shop.add("apple", 3, 4, -1);
            shop.add("pear");
            System.out.println(shop.total("apple", (k, n) -> n > 3 && !k.isEmpty()));
            label:
            while (true) { do { break label; } while (args.length > 0); }
        }
    }
}
