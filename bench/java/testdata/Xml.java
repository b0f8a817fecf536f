class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(new JSONObject("{\"a\": [1, 2]}").toString(1));
        XML.toJSONObject("<a><b x=\"1\">t</b><c></a>");
    }
}
