// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3.util.log2Ceil
import weir.config.{HotMonitoring, WeirConfig}
import weir.place.{HotMonitorPort, IntervalState, RegionPages, SuperpageCounters}

/** The registers of [[weir.place.HotMonitor]]: settings, the interval, the slots of chosen superpages, a window through
  * which counters and hot list are read in a burst, and the hot list's ends.
  */
object HotMonitorRegisters {
  val firstOffset = 0x348

  /** The registers behind which something stands: what is written to one goes on, what is read from the other comes
    * from there.
    */
  val chosen = "hot_chosen"
  val data   = "hot_data"

  def apply(config: WeirConfig): Seq[Register] =
    config.hotMonitoring.toSeq.flatMap(monitoring => of(config, monitoring))

  private def of(config: WeirConfig, monitoring: HotMonitoring): Seq[Register] = {
    val pages         = new RegionPages(config)
    val lastSuperpage = pages.firstSuperpage + pages.superpages - 1
    val listBits      = log2Ceil(monitoring.hotList)
    val stores        = HotMonitorPort.stores(config)
    val most          = HotMonitorPort.mostWords(config)
    val states        = IntervalState.allNames.zip(IntervalState.all.map(_.litValue.toInt)).sortBy(_._2)

    val greatestWeight                                                = HotMonitoring.greatestWeight
    def weight(name: String, low: Int, reset: Int, of: String): Field = Field.readWrite(
      name,
      low,
      HotMonitorPort.weightBits,
      reset,
      1,
      greatestWeight,
      s"Reads that a write counts for in the counters of $of."
    )
    def flag(name: String, low: Int, reset: Int, description: String): Field =
      Field.readWrite(name, low, 1, reset, 0, 1, description)

    Seq(
      Register(
        "hot_shape",
        firstOffset,
        "What the counters of accesses to the NVM region are.",
        Seq(
          Field.readOnly("chosen", 0, 8, monitoring.chosen, "Slots for superpages whose pages are counted."),
          Field.readOnly("hot_list", 8, 4, listBits, "Binary logarithm of the records of the hot list."),
          Field.readOnly(
            "hashed",
            12,
            1,
            if (monitoring.hashed) 1 else 0,
            "Superpages whose numbers in the region have an equal XOR of all groups of bits share a counter; if not, " +
              "those with equal low bits do."
          )
        )
      ),
      Register(
        "hot_superpages",
        firstOffset + 0x04,
        "Counters of superpages.",
        Seq(
          Field.readOnly(
            "counters",
            0,
            32,
            SuperpageCounters.count(config),
            "How many there are. Where they are fewer than the superpages of the region, several of these share one."
          )
        )
      ),
      Register(
        "hot_region",
        firstOffset + 0x08,
        "The NVM region.",
        Seq(Field.readOnly("first", 0, 32, pages.firstSuperpage, "Number of its first superpage."))
      ),
      Register(
        "hot_control",
        firstOffset + 0x0c,
        "What is counted, and when.",
        Seq(
          flag("superpages", 0, 1, "The accesses of superpages are counted, from the next start on."),
          flag("pages", 1, 1, "Those of the pages of chosen superpages are counted, from the next start on."),
          flag("redirected", 2, 0, "Accesses of pages that have been moved to DRAM are counted too."),
          flag("periodic", 3, 0, "When an interval ends, counters are cleared and the next one begins."),
          Field.bit(
            "start",
            8,
            Access.Command,
            "Write 1 to clear the counters and begin an interval, instead of one that goes on."
          ),
          Field.bit(
            "stop",
            9,
            Access.Command,
            "Write 1 to end the interval without an interrupt, unless start is 1 too."
          )
        )
      ),
      Register(
        "hot_status",
        firstOffset + 0x10,
        "State of the counters.",
        Seq(
          Field.readOnly(
            "state",
            0,
            2,
            0,
            "Idle: the counters stand still and can be read. Clearing: an interval begins once all are 0. Counting. " +
              "Draining: the last accesses of the interval are being counted.",
            states
          ),
          Field.bit(
            "hot_list_overflowed",
            8,
            Access.WriteOneToClear,
            "A page became hot when the hot list was full, and is not in it; write 1 to clear."
          )
        )
      ),
      Register(
        "hot_interval",
        firstOffset + 0x14,
        "Length of an interval.",
        Seq(
          Field.readWrite(
            "cycles",
            0,
            32,
            monitoring.interval,
            1,
            0xffffffffL,
            "Controller cycles. An interval that has lasted as long ends."
          )
        )
      ),
      Register(
        "hot_weights",
        firstOffset + 0x18,
        "Weight of writes.",
        Seq(
          weight("superpage_write", 0, monitoring.writeWeight, "superpages"),
          weight("page_write", 8, 1, "pages")
        )
      ),
      Register(
        "hot_threshold",
        firstOffset + 0x1c,
        "When a page goes on the hot list.",
        Seq(
          Field.readWrite(
            "count",
            0,
            HotMonitorPort.pageCountBits,
            (1 << HotMonitorPort.pageCountBits) - 1,
            1,
            (1 << HotMonitorPort.pageCountBits) - 1,
            "Count of a page at which it is appended to the hot list, once in an interval."
          )
        )
      ),
      Register(
        "hot_slot",
        firstOffset + 0x20,
        "The slot that hot_chosen is of.",
        Seq(
          Field(
            "slot",
            0,
            log2Ceil(monitoring.chosen).max(1),
            0,
            Access.Position,
            s"Slot. Each write to $chosen moves it on to the next, behind the last to the first.",
            0,
            monitoring.chosen - 1,
            Seq()
          )
        )
      ),
      Register(
        chosen,
        firstOffset + 0x24,
        "The superpage in slot hot_slot, whose pages are counted there; what was written last is read. In two slots the " +
          "lower one counts.",
        Seq(
          Field.readWrite(
            "superpage",
            0,
            pages.superpageBits,
            pages.firstSuperpage,
            pages.firstSuperpage,
            lastSuperpage,
            "Number of the superpage, counted from the first byte of memory."
          ),
          flag("holds", 31, 0, "Whether the slot holds it, or is empty, as after reset.")
        )
      ),
      Register(
        "hot_index",
        firstOffset + 0x28,
        s"What $data gives.",
        Seq(
          Field(
            "word",
            0,
            log2Ceil(most),
            0,
            Access.Position,
            s"Word of the store. Each read of $data moves it on to the next, behind the store's last to its first.",
            0,
            most - 1,
            Seq()
          ),
          Field.readWrite(
            "store",
            28,
            2,
            0,
            0,
            stores.size - 1,
            "Superpages: counters in the order of their numbers in the region. Pages: 512 counters of each slot. Hot list: " +
              "two words for each record, the page's number counted from the first byte of memory and its count.",
            stores.map(_._1).zipWithIndex
          )
        )
      ),
      Register(
        data,
        firstOffset + 0x2c,
        "The word that hot_index says: two counters of 16 bits, the lower one first, of pages with the overflow flag in bit " +
          "15; or half a record of the hot list. Reading is answered with SLVERR where the store has no such word, and " +
          "of counters unless hot_status.state is idle.",
        Seq(Field.readOnly("value", 0, 32, 0, "The word."))
      ),
      Register(
        "hot_list_head",
        firstOffset + 0x30,
        "The hot list's oldest record.",
        Seq(
          Field(
            "record",
            0,
            listBits,
            0,
            Access.Position,
            "Record up to which software has read; it must lie from where it was up to hot_list_tail.",
            0,
            monitoring.hotList - 1,
            Seq()
          )
        )
      ),
      Register(
        "hot_list_tail",
        firstOffset + 0x34,
        "The end of the hot list.",
        Seq(
          Field.readOnly("record", 0, listBits, 0, "Record that hardware writes next; equal to hot_list_head if empty.")
        )
      ),
      Register(
        "hot_list_level",
        firstOffset + 0x38,
        "When the hot list interrupts.",
        Seq(
          Field.readWrite(
            "records",
            0,
            listBits,
            1,
            1,
            monitoring.hotList - 1,
            "Records from hot_list_head to hot_list_tail from which on interrupt_pending.hot_list is set."
          )
        )
      ),
      Register(
        "hot_uncounted",
        firstOffset + 0x3c,
        "What the interval missed before and after it.",
        Seq(
          Field.readOnly(
            "accesses",
            0,
            32,
            0,
            "Accesses to the region since the last start that came when nothing was counted; stays at its greatest."
          )
        )
      ),
      Register(
        "hot_dropped",
        firstOffset + 0x40,
        "What the interval missed.",
        Seq(
          Field.readOnly(
            "accesses",
            0,
            32,
            0,
            "Accesses since the last start that came faster than they could be counted; stays at its greatest."
          )
        )
      )
    )
  }
}
