/** The program behind dataflow.rsm: node b_23_6 is step 6, in line 23, in b(). */
class Dataflow {
  static int i;

  /*
   * The value that main() stores is used by b(), after a() has come and gone.
   * The value that b() stores is used by nobody.
   */

  public static void main(String[] args) {
    i = 2; // def_i
    a();
    b();
  }

  /** Does nothing: its only node is entry and exit at once. */
  static void a() {

  }

  static void b() {
    // Two reads of i, then a store: use_i, use_i, def_i.
    i = i * i;
  }
}
