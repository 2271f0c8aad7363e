// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.{HotMonitoring, NvmRegion, RegionPages, WeirConfig}
import weir.place.PageNumbers
import weir.registers.{Field, RegisterBundle}

/** The registers of [[HotMonitor]]: settings, the interval, the slots of chosen superpages, a window through which counters
  * and hot list are read in a burst, and the hot list's ends. Settings may change at any time. Directions as `regs` sees
  * them.
  */
class HotMonitorPort(config: WeirConfig) extends RegisterBundle {
  import HotMonitorPort._
  private val monitoring = config.hotMonitoring.get
  private val region     = new RegionPages(config)
  private val listBits   = log2Ceil(monitoring.hotList)

  feature("hot_monitoring", 21, 1, 1, "Accesses to the NVM region are counted by superpages and pages.")

  register("hot_shape", 0x348, "What the counters of accesses to the NVM region are.")
    .constant("chosen", 0, 8, monitoring.chosen, "Slots for superpages whose pages are counted.")
    .constant("hot_list", 8, 4, listBits, "Binary logarithm of the records of the hot list.")
    .constant(
      "hashed",
      12,
      1,
      if (monitoring.hashed) 1 else 0,
      "Superpages whose numbers in the region have an equal XOR of all groups of bits share a counter; if not, " +
        "those with equal low bits do."
    )
  register("hot_superpages", 0x34c, "Counters of superpages.").constant(
    "counters",
    0,
    32,
    SuperpageCounters.count(config),
    "How many there are. Where they are fewer than the superpages of the region, several of these share one."
  )
  register("hot_region", 0x350, "The NVM region.")
    .constant("first", 0, 32, region.firstSuperpage, "Number of its first superpage.")

  private val control = register("hot_control", 0x354, "What is counted, and when.")

  val superpages = control.choice(
    "superpages",
    0,
    reset = true,
    "The accesses of superpages are counted, from the next start on."
  )
  val pages = control.choice(
    "pages",
    1,
    reset = true,
    "Those of the pages of chosen superpages are counted, from the next start on."
  )
  val redirected = control.choice(
    "redirected",
    2,
    reset = false,
    "Accesses of pages that have been moved to DRAM are counted too."
  )
  val periodic = control.choice(
    "periodic",
    3,
    reset = false,
    "When an interval ends, counters are cleared and the next one begins."
  )

  /** What is written with them holds for the interval that begins. */
  val start = control.pulse(
    "start",
    8,
    "Write 1 to clear the counters and begin an interval, instead of one that goes on."
  )
  val stop = control.pulse("stop", 9, "Write 1 to end the interval without an interrupt, unless start is 1 too.")

  private val status = register("hot_status", 0x358, "State of the counters.")

  val state = status.statusOf(
    Input(IntervalState()),
    Field.readOnly(
      "state",
      0,
      2,
      0,
      "Idle: the counters stand still and can be read. Clearing: an interval begins once all are 0. Counting. " +
        "Draining: the last accesses of the interval are being counted.",
      IntervalState.allNames.zip(IntervalState.all.map(_.litValue.toInt)).sortBy(_._2)
    )
  )
  val listOverflowed = status.flag(
    "hot_list_overflowed",
    8,
    "A page became hot when the hot list was full, and is not in it; write 1 to clear."
  )

  val interval = register("hot_interval", 0x35c, "Length of an interval.").setting(
    "cycles",
    0,
    32,
    monitoring.interval,
    1,
    0xffffffffL,
    "Controller cycles. An interval that has lasted as long ends."
  )

  private val weights = register("hot_weights", 0x360, "Weight of writes.")
  private def weight(name: String, low: Int, reset: Int, of: String): UInt = weights.setting(
    name,
    low,
    weightBits,
    reset,
    1,
    HotMonitoring.greatestWeight,
    s"Reads that a write counts for in the counters of $of."
  )
  val superpageWriteWeight = weight("superpage_write", 0, monitoring.writeWeight, "superpages")
  val pageWriteWeight      = weight("page_write", 8, 1, "pages")

  val threshold = register("hot_threshold", 0x364, "When a page goes on the hot list.").setting(
    "count",
    0,
    pageCountBits,
    (1 << pageCountBits) - 1,
    1,
    (1 << pageCountBits) - 1,
    "Count of a page at which it is appended to the hot list, once in an interval."
  )

  /** What is put into a slot: in the cycle after `chosen`, and the slot moves on. */
  val slot = register("hot_slot", 0x368, "The slot that hot_chosen is of.").place(
    "slot",
    0,
    log2Ceil(monitoring.chosen).max(1),
    monitoring.chosen - 1,
    "Slot. Each write to hot_chosen moves it on to the next, behind the last to the first."
  )
  private val choice = register(
    "hot_chosen",
    0x36c,
    "The superpage in slot hot_slot, whose pages are counted there; what was written last is read. In two slots the " +
      "lower one counts."
  )
  val superpage = choice.setting(
    "superpage",
    0,
    new PageNumbers(config).superpageBits,
    region.firstSuperpage,
    region.firstSuperpage,
    region.firstSuperpage + region.superpages - 1,
    "Number of the superpage, counted from the first byte of memory."
  )
  val holds  = choice.choice("holds", 31, reset = false, "Whether the slot holds it, or is empty, as after reset.")
  val chosen = choice.whenWritten()

  /** A word of a store: counters can be read in state `idle` only, the hot list always, and none beyond its last word. */
  private val index = register("hot_index", 0x370, "What hot_data gives.")

  val word = index.place(
    "word",
    0,
    log2Ceil(mostWords(config)),
    mostWords(config) - 1,
    "Word of the store. Each read of hot_data moves it on to the next, behind the store's last to its first."
  )
  val store = index.setting(
    "store",
    28,
    2,
    0,
    0,
    stores(config).size - 1,
    "Superpages: counters in the order of their numbers in the region. Pages: 512 counters of each slot. Hot list: " +
      "two words for each record, the page's number counted from the first byte of memory and its count.",
    stores(config).map(_._1).zipWithIndex
  )
  val data = register(
    "hot_data",
    0x374,
    "The word that hot_index says: two counters of 16 bits, the lower one first, of pages with the overflow flag in bit " +
      "15; or half a record of the hot list. Reading is answered with SLVERR where the store has no such word, and " +
      "of counters unless hot_status.state is idle."
  ).fetched("value", "The word.")

  val listTail = register("hot_list_tail", 0x37c, "The end of the hot list.")
    .status("record", 0, listBits, "Record that hardware writes next; equal to hot_list_head if empty.")
  val listHead = register("hot_list_head", 0x378, "The hot list's oldest record.").readUpTo(
    "record",
    0,
    listBits,
    monitoring.hotList - 1,
    listTail,
    "Record up to which software has read; it must lie from where it was up to hot_list_tail."
  )
  val listLevel = register("hot_list_level", 0x380, "When the hot list interrupts.").setting(
    "records",
    0,
    listBits,
    1,
    1,
    monitoring.hotList - 1,
    "Records from hot_list_head to hot_list_tail from which on interrupt_pending.hot_list is set."
  )

  val uncounted = register("hot_uncounted", 0x384, "What the interval missed before and after it.").status(
    "accesses",
    0,
    32,
    "Accesses to the region since the last start that came when nothing was counted; stays at its greatest."
  )
  val dropped = register("hot_dropped", 0x388, "What the interval missed.").status(
    "accesses",
    0,
    32,
    "Accesses since the last start that came faster than they could be counted; stays at its greatest."
  )

  /** For one cycle, and as long as it is so. */
  val ended       = interrupt("interval_ended", 0, "An interval of the hot page counters has ended")
  val listReached = interrupt("hot_list", 1, "The hot list holds as many records as hot_list_level says")
}

object HotMonitorPort {
  val weightBits: Int = log2Ceil(HotMonitoring.greatestWeight + 1)

  /** Bits of the count of a page, without the overflow flag. */
  val pageCountBits = 15

  /** What can be read, by the number of the store: name and words of 32 bits. */
  def stores(config: WeirConfig): Seq[(String, Int)] = Seq(
    "superpages" -> SuperpageCounters.count(config) / 2,
    "pages"      -> config.hotMonitoring.get.chosen * NvmRegion.pagesPerSuperpage / 2,
    "hot_list"   -> 2 * config.hotMonitoring.get.hotList
  )

  def mostWords(config: WeirConfig): Int = stores(config).map(_._2).max
}
