class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(new JSONObject("{\"a\": [1, 2]}").toString(1));
        new JSONPointer("/a/x/b").queryFrom(new JSONObject("{\"a\": [1, 2]}"));
    }
}
