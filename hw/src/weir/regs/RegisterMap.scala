// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3.util.log2Ceil
import weir.channel.refresh.RefreshPolicy
import weir.channel.row.RowPolicies
import weir.config.{RowClosing, WeirConfig}
import weir.observe.EventCounters

/** The register map, declared here and nowhere else: [[Registers]] makes the hardware of it, [[SystemRdl]] the text from
  * which PeakRDL generates the C header, the Python model and the HTML page. Offsets are the same in every config.
  *
  * @param refreshPolicies the refresh policies of which those are offered that the config's DRAM can do
  */
class RegisterMap(config: WeirConfig, refreshPolicies: Seq[RefreshPolicy] = RefreshPolicy.all) {
  import config.{axi, geometry, phy, placement, policies, timing}
  import RegisterMap._

  private val memory = config.memoryBytes

  private val identity = Seq(
    Register(
      "identity",
      0x000,
      "Tells that this is Weir.",
      Seq(Field.readOnly("magic", 0, 32, magic, "The letters WEIR, W in the highest byte."))
    ),
    Register(
      "version",
      0x004,
      "Version of the controller; the register map changes incompatibly only with `major`.",
      Seq(
        Field.readOnly("major", 16, 8, version._1, "Major version."),
        Field.readOnly("minor", 8, 8, version._2, "Minor version."),
        Field.readOnly("patch", 0, 8, version._3, "Patch level.")
      )
    ),
    Register(
      "features",
      0x008,
      "What this build holds.",
      Seq(
        Field.readOnly("programmable_timings", 0, 1, policies.programmableTimings.toInt, "Timings can be written."),
        Field.readOnly("counters", 1, 1, config.observation.counters.toInt, "There are counters."),
        Field.readOnly("programmable_map", 2, 1, placement.programmable.toInt, "The address map can be changed."),
        Field.readOnly("programmable_policies", 3, 1, policies.programmablePolicies.toInt, "Policies can be written."),
        Field.readOnly(
          "counters_explain",
          7,
          1,
          config.observation.explains.toInt,
          "Delays, stalls, latencies, energy and what refreshes stalled are counted too."
        ),
        Field.readOnly("counter_bits", 8, 8, config.observation.counterBits, "Bits after which a counter wraps."),
        Field.readOnly(
          "pseudo_ranks",
          16,
          1,
          (geometry.pseudoRanks > 1).toInt,
          "What is called a rank is a group of banks of the only rank: they share its timings and the bus without a gap."
        ),
        Field.readOnly(
          "pseudo_ranks_refresh_apart",
          17,
          1,
          config.refreshGroups.toInt,
          "Each of these is refreshed by itself, as no real part does; if not all are refreshed at once."
        )
      ) ++ config.hotMonitoring.map(_ =>
        Field.readOnly("hot_monitoring", 21, 1, 1, "Accesses to the NVM region are counted by superpages and pages.")
      )
    ),
    Register(
      "error",
      0x00c,
      "The first write that was refused since `pending` was cleared. Every refused write is answered with SLVERR and " +
        "leaves all registers as they were.",
      Seq(
        Field.bit("pending", 0, Access.WriteOneToClear, "A write was refused; write 1 to clear."),
        Field.readOnly("cause", 4, 4, 0, "Why it was refused.", causes),
        Field.readOnly("address", 16, addressBits, 0, "Byte offset of the refused write.")
      )
    )
  )

  private val shape = Seq(
    Register(
      "geometry",
      0x010,
      "Layout of a channel of DRAM.",
      Seq(
        Field.readOnly("ranks", 0, 4, geometry.ranks, "Ranks."),
        Field.readOnly("bank_groups", 4, 4, geometry.bankGroups, "Bank groups of a rank; 1 where there are none."),
        Field.readOnly("banks", 8, 8, geometry.banks, "Banks of a rank, all bank groups together."),
        Field.readOnly("row_bits", 16, 8, geometry.rowBits, "Row address bits."),
        Field.readOnly("column_bits", 24, 8, geometry.columnBits, "Column address bits.")
      )
    ),
    Register(
      "bus",
      0x014,
      "The data buses and the DFIs.",
      Seq(
        Field.readOnly("dq_bits", 0, 8, geometry.dqBits, "Width of the data bus in bits."),
        Field.readOnly("phases", 8, 4, phy.phases, "DFI phases: DRAM clocks in a controller cycle."),
        Field.readOnly("channels", 12, 4, config.channels, "Channels, each with a data bus and a DFI of its own."),
        Field.readOnly("line_bytes", 16, 16, geometry.lineBytes, "Bytes of a DRAM burst, the unit of access.")
      )
    ),
    Register("memory_bytes_low", 0x018, "Size of the memory.", Seq(word("Bytes, bits 31:0.", memory, 0))),
    Register("memory_bytes_high", 0x01c, "Size of the memory.", Seq(word("Bytes, bits 63:32.", memory, 1))),
    Register("base_low", 0x020, "Bus address of the first byte of memory.", Seq(word("Bits 31:0.", axi.base, 0))),
    Register("base_high", 0x024, "Bus address of the first byte of memory.", Seq(word("Bits 63:32.", axi.base, 1))),
    Register(
      "ports",
      0x028,
      "The AXI4 ports.",
      Seq(
        Field.readOnly("ports", 0, 4, axi.ports, "AXI4 ports."),
        Field.readOnly("id_bits", 4, 4, axi.idBits, "Id width of a port in bits."),
        Field.readOnly("data_bits", 8, 12, axi.dataBits, "Data width of a port in bits."),
        Field.readOnly("sources", 20, 12, axi.sources, "Sources (harts or other masters) that are told apart.")
      )
    ),
    Register(
      "queues",
      0x02c,
      "Depths of the queues.",
      Seq(
        Field.readOnly("read", 0, 8, policies.readQueue, "Entries of the read queue."),
        Field.readOnly("write", 8, 8, policies.writeQueue, "Entries of the write queue, all ranks together.")
      )
    ),
    Register(
      "clock",
      0x030,
      "The DRAM clock.",
      Seq(Field.readOnly("tCK", 0, 16, timing.tCKps, "Clock period in picoseconds."))
    ),
    Register(
      "latency",
      0x034,
      "CAS latencies in DRAM clocks; they follow from the mode registers and the PHY.",
      Seq(
        Field.readOnly("cl", 0, 8, timing.cl, "Read command to first data (CL)."),
        Field.readOnly("cwl", 8, 8, timing.cwl, "Write command to first data (CWL).")
      )
    )
  )

  private val markBits = log2Ceil(policies.writeQueue + 1)

  /** A field that software may set where policies are programmable. */
  private def policy(
      name: String,
      low: Int,
      bits: Int,
      reset: BigInt,
      minimum: BigInt,
      maximum: BigInt,
      description: String,
      names: Seq[(String, Int)] = Seq()
  ): Field =
    if (policies.programmablePolicies) Field.readWrite(name, low, bits, reset, minimum, maximum, description, names)
    else Field.readOnly(name, low, bits, reset, description, names)

  private val refreshing = {
    val possible    = RefreshPolicy.possible(config, refreshPolicies)
    val list        = possible.map(policy => s"${policy.name}: ${policy.description}").mkString("; ")
    val granularity = log2Ceil(policies.refreshGranularity)
    def value(bits: Int, reset: BigInt, minimum: BigInt, maximum: BigInt, description: String) =
      policy("value", 0, bits, reset, minimum, maximum, description)
    Seq(
      Register(
        "refresh_policy",
        0x0cc,
        "When a rank is refreshed.",
        Seq(
          policy(
            "value",
            0,
            RefreshPolicy.codeBits,
            RefreshPolicy.first(config).code,
            possible.map(_.code).min,
            possible.map(_.code).max,
            s"Policy. $list.",
            possible.map(policy => policy.name -> policy.code)
          )
        )
      ),
      Register(
        "refresh_pull_in",
        0x0d0,
        "Bound on refreshes ahead of time (JEDEC allows 8).",
        Seq(value(4, policies.refreshPullIn, 0, 8, "Refreshes of a rank that may be made ahead of time."))
      ),
      Register(
        "refresh_idle",
        0x0d4,
        "Idle time of the elastic policy.",
        Seq(
          value(12, policies.refreshIdle, 1, 4095, "Controller cycles of a step of the time that a rank must be idle.")
        )
      ),
      Register(
        "refresh_granularity",
        0x0d8,
        "Parts of the policies that refresh in parts; a DDR4 DRAM must be set to the same on-the-fly mode.",
        Seq(
          policy(
            "value",
            0,
            2,
            granularity,
            0,
            if (config.fineRefresh) 2 else 0,
            "Granularity.",
            Seq("x1" -> 0, "x2" -> 1, "x4" -> 2).take(if (config.fineRefresh) 3 else 1)
          )
        )
      ),
      Register(
        "refresh_drain_ahead",
        0x0dc,
        "Preemptive command drain.",
        Seq(
          value(
            12,
            policies.refreshDrainAhead,
            0,
            4095,
            "Controller cycles before a refresh falls due in which queued accesses of its rank go first; 0 for none."
          )
        )
      )
    )
  }

  private val scheduling = Seq(
    Register(
      "water_marks",
      0x0c0,
      "When queued writes of a rank are drained; low stays below high.",
      Seq(
        policy(
          "high",
          0,
          markBits,
          policies.highWaterMark,
          1,
          policies.writeQueue,
          "Queued writes of a rank at which its drain starts."
        ),
        policy(
          "low",
          16,
          markBits,
          policies.lowWaterMark,
          0,
          policies.writeQueue - 1,
          "Queued writes of a rank at which its drain ends."
        )
      )
    ),
    Register(
      "age_limit",
      0x0c4,
      "Bound on reordering.",
      Seq(
        policy(
          "value",
          0,
          12,
          policies.ageLimit,
          16,
          4095,
          "Controller cycles that the oldest access may be passed by younger ones."
        )
      )
    ),
    Register(
      "refresh_postpone",
      0x0c8,
      "Bound on postponing refreshes (JEDEC allows 8).",
      Seq(
        policy(
          "value",
          0,
          4,
          policies.refreshPostpone,
          1,
          8,
          "Refreshes that a rank may owe before one is forced."
        )
      )
    )
  ) ++ refreshing

  /** A choice of two that software may make where policies are programmable. */
  private def either(name: String, low: Int, reset: Boolean, description: String, off: String, on: String): Field =
    policy(name, low, 1, reset.toInt, 0, 1, description, Seq(off -> 0, on -> 1))

  private val drains = Seq(
    Register(
      "drain_policy",
      0x0e0,
      "When queued writes go before reads.",
      Seq(
        either(
          "marks",
          0,
          policies.draining.sharedMarks,
          "What the water marks are compared with: the queued writes of each rank, or of all ranks together.",
          "per_rank",
          "shared"
        ),
        either(
          "ranks",
          1,
          policies.draining.together,
          "Whether ranks drain apart or all together as soon as one must.",
          "apart",
          "together"
        ),
        either(
          "priority",
          2,
          policies.draining.equalPriority,
          "Whether reads go first, and writes in drains; or both take turns in the order in which they came, and the other " +
            "fields and the water marks have no meaning.",
          "reads_first",
          "equal"
        ),
        either(
          "start",
          3,
          policies.draining.atHighMark,
          "Whether writes above the low water mark also drain when no read is queued, or at the high water mark only.",
          "early",
          "high_mark"
        )
      ) ++ Option.when(policies.fastReads)(
        either(
          "reads",
          4,
          policies.draining.readsAhead,
          "Whether reads of a rank that drains wait for the drain's end; or go ahead, which ends drains that began for want of " +
            "reads, and opens their rows during any other, in banks for which no write waits.",
          "wait",
          "ahead"
        )
      )
    )
  )

  private val rowClosing = {
    val numbers = RowPolicies.all.map(_.name).zipWithIndex
    val bits    = log2Ceil(RowClosing.greatestTimeout + 1)
    val meaning = RowPolicies.all.map(each => s"${each.name}: ${each.description}.").mkString(" ")
    Seq(
      Register(
        "row_policy",
        0x0e4,
        "When rows are closed that no queued access hits.",
        Seq(
          policy(
            "value",
            0,
            log2Ceil(RowPolicies.all.size),
            RowPolicies.number(policies.rowClosing.policy),
            0,
            RowPolicies.all.size - 1,
            s"The policy. $meaning",
            numbers
          )
        )
      ),
      Register(
        "row_timeout",
        0x0e8,
        "Time for the row policy timeout.",
        Seq(
          policy(
            "value",
            0,
            bits,
            policies.rowClosing.timeout,
            RowClosing.leastTimeout,
            RowClosing.greatestTimeout,
            "Controller cycles after the last column command of a bank after which its row is closed."
          )
        )
      )
    )
  }

  private val timeScale = {
    val scaling = policies.timeScaling
    val slow    =
      "Whether the DRAM is so many times slower itself, and its refreshes are: only for a DRAM model of that time " +
        "scale. If not it is refreshed in real time."
    if (!scaling.isThere) Seq()
    else
      Seq(
        Register(
          "time_scale",
          0x0ec,
          "Makes the memory look slower, as a core sees it that is so many times faster. Times of policies in controller " +
            "cycles are multiplied too.",
          Seq(
            Field.readWrite("factor", 0, 7, 1, 1, scaling.greatest, "How many times slower the memory looks."),
            if (scaling.slowMemory) Field.readWrite("slow_memory", 8, 1, 0, 0, 1, slow)
            else Field.readOnly("slow_memory", 8, 1, 0, slow)
          )
        )
      )
  }

  private val counterControl =
    if (!config.observation.counters) Seq()
    else
      Seq(
        Register(
          "counters_latch",
          0x100,
          "Snapshot of the counters: all read zero before the first one.",
          Seq(Field.bit("latch", 0, Access.Command, "Write 1 to snapshot all counters in one and the same cycle."))
        ),
        Register(
          "counters_status",
          0x104,
          "State of the counters.",
          Seq(
            Field.bit(
              "wrapped",
              0,
              Access.WriteOneToClear,
              "A counter has wrapped since this was cleared; write 1 to clear."
            )
          )
        )
      )

  /** Registers in order of their offsets, without those that stand in blocks. */
  val registers: Seq[Register] =
    identity ++ shape ++ TimingRegisters(
      config
    ) ++ scheduling ++ drains ++ rowClosing ++ timeScale ++ counterControl ++ NvmRegisters(config) ++ MapRegisters(
      config
    ) ++
      InterruptRegisters(config) ++ HotMonitorRegisters(config) ++ RemapRegisters(config) ++ MigrationRegisters(config)

  /** The masks of the address map in force. */
  val masks: Seq[RegisterBlock] = if (placement.readable) MapRegisters.inForce(config) else Seq()

  /** The counters, 64 bits in two registers each, in the order of [[weir.observe.EventCounters]] and without gaps. */
  val counters: Seq[RegisterBlock] =
    if (!config.observation.counters) Seq()
    else {
      val groups  = EventCounters.groups(config)
      val offsets = groups.scanLeft(countersOffset)((offset, group) => offset + 8 * group.size)
      groups.zip(offsets).map { case (group, offset) =>
        val halves = group.counters.zipWithIndex.flatMap { case (counter, number) =>
          Seq(("low", "31:0"), ("high", "63:32")).zipWithIndex.map { case ((half, range), which) =>
            Register(
              s"${counter.name}_$half",
              8 * number + 4 * which,
              s"${counter.description} Bits $range of the snapshot.",
              Seq(Field.readOnly("value", 0, 32, 0, s"Bits $range."))
            )
          }
        }
        RegisterBlock(group.name, offset, group.description, group.dimensions.map(_._2), halves)
      }
    }

  /** First byte offset behind the counters. */
  val end: Int = counters.map(block => block.offset + block.bytes).maxOption.getOrElse(countersOffset)
  require(
    end <= (1 << addressBits),
    s"RegisterMap: the counters of ${axi.sources} sources and ${config.channels * geometry.ranks} ranks end at 0x${end.toHexString}, " +
      s"beyond the ${1 << addressBits} bytes of the register map; choose fewer Axi.sourceIdHigh:sourceIdLow bits"
  )

  /** What must hold between fields. */
  val relations: Seq[Relation] = (Relation(
    "a drain that starts at the high mark must have something to drain",
    Seq(1 -> "water_marks.low"),
    1,
    "water_marks.high"
  ) +: (refreshLeavesTime(1, "tRFC", Seq()) +: (
    (if (!config.fineRefresh) Seq()
     else
       Seq(
         refreshLeavesTime(2, "tRFC2", Seq("refresh_granularity.value" -> 1)),
         refreshLeavesTime(4, "tRFC4", Seq("refresh_granularity.value" -> 2))
       )) ++ config.nvm.map(_ => refreshLeavesTime(1, "tRFC", Seq(), NvmRegisters.rowCycle))
  )).flatMap(atEveryFactor)) ++ RemapRegisters.relations(config)

  /** Refreshes in so many parts, each of which takes `refreshTime`, come so many times as often. */
  private def refreshLeavesTime(
      parts: Int,
      refreshTime: String,
      where: Seq[(String, Int)],
      rowCycle: Seq[String] = rowCycle
  ): Relation = Relation(
    "between two refreshes a rank must have time for two row cycles in the worst order, or accesses would starve",
    Seq(refreshTime, "tZQCS").map(timing => parts -> s"$timing.value") ++ rowCycle.map(2 * parts -> _),
    0,
    "tREFI.value",
    where = where
  )

  /** The same at any time scale: of a slow DRAM all of it is scaled alike, of another one row cycles are and refreshes not. */
  private def atEveryFactor(relation: Relation): Seq[Relation] = {
    val scaling            = policies.timeScaling
    val (multiplied, rest) = relation.terms.partition { case (_, timing) =>
      (rowCycle ++ NvmRegisters.rowCycle).contains(timing)
    }
    val inRealTime = relation.copy(terms = rest, times = Some("time_scale.factor" -> multiplied))
    if (!scaling.isThere) Seq(relation)
    else if (!scaling.slowMemory) Seq(inRealTime)
    else Seq(relation, inRealTime.copy(where = ("time_scale.slow_memory" -> 0) +: relation.where))
  }

  private val resets =
    (for (register <- registers; field <- register.fields) yield s"${register.name}.${field.name}" -> field.reset).toMap
  for (relation <- relations)
    require(relation.holds(resets), s"RegisterMap: the reset values break ${relation.text}: ${relation.reason}")

  private val names = registers.map(_.name) ++ masks.map(_.name) ++ counters.map(_.name)
  require(names.distinct == names, s"RegisterMap: names occur twice: ${names.diff(names.distinct).mkString(", ")}")
  require(
    registers.map(_.offset).sliding(2).forall(pair => pair.head < pair.last),
    "RegisterMap: the registers are not in the order of their offsets"
  )
  for (register <- registers)
    require(
      register.offset < MapRegisters.inForceOffset ||
        register.offset >= MapRegisters.inForceEnd && register.offset < countersOffset,
      f"RegisterMap: ${register.name} at 0x${register.offset}%x lies in the map in force or among the counters"
    )
  require(MapRegisters.inForceEnd <= countersOffset, "RegisterMap: the map in force runs into the counters")
}

object RegisterMap {

  /** The timings that make up a row cycle in the worst order. */
  private val rowCycle =
    Seq("tRC", "tRAS", "tRCD", "tRP", "tFAW", "tWR", "tWTR_L", "tRTP").map(timing => s"$timing.value")

  /** Width of the map's byte addresses. */
  val addressBits = 13

  /** The letters WEIR. */
  val magic: BigInt = BigInt("WEIR".getBytes("US-ASCII"))

  /** Version of the controller: major, minor, patch. */
  val version: (Int, Int, Int) = (0, 1, 0)

  /** Byte offset of the first counter. */
  val countersOffset = 0x400

  private val causes = WriteError.descriptions.map { case (cause, name, _) => (name, cause.litValue.toInt) }

  /** A whole register that shows a word of a constant. */
  private def word(description: String, constant: BigInt, number: Int): Field =
    Field.readOnly("value", 0, 32, (constant >> (32 * number)) & 0xffffffffL, description)

  private implicit class Flag(private val set: Boolean) extends AnyVal {
    def toInt: Int = if (set) 1 else 0
  }
}
