class Main {
    public static void main(String[] args) {
        JSONObject o = new JSONObject("{\"a\": [1, 2, {\"b\": null}], \"c\": \"x\"}");
        System.out.println(o.toString(2) + XML.toString(o) + o.query("/a/2/b"));
        System.out.println(CDL.toJSONArray("a,b\n1,2\n"));
        System.out.println(new JSONObject("{\"key\": [1, 2, {\"x\": tru, }]}").getJSONArray("key").getJSONObject(2).getBoolean("x"));
    }
}
