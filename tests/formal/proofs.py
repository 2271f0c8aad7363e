# SPDX-License-Identifier: Apache-2.0
"""The proofs, with the faults that each must find."""

from __future__ import annotations

from prove import Fault, Proof

FREE_QUEUES = {
    "Front": {},
    "Place": {},
    r"AccessQueue(?:_\d+)?": {"io_columns": "io_hits & free_io_columns", "io_waiting": "io_hits | free_io_waiting"},
    r"RefreshDebt(?:_\d+)?": {},
    "RefreshClock": {},
    "RefreshBudget": {},
    "RowChoice": {},
    "WriteDrain": {},
    "Arrivals": {},
    "WriteStore": {},
    "ReadReturns": {},
}


# What software may make of the refresh registers, in any cycle: of the only rank of a DRAM that refreshes whole, and of
# ranks of one that does in parts of the granularity that its top says.
REFRESH_REGISTERS = {
    "io_control_refresh_postpone": "free_io_control_refresh_postpone[0] ? 4'd2 : 4'd1",
    "io_control_refresh_pullIn": "free_io_control_refresh_pullIn > 4'd8 ? 4'd8 : free_io_control_refresh_pullIn",
    "io_control_refresh_idle": "free_io_control_refresh_idle == 12'd0 ? 12'd1 : free_io_control_refresh_idle",
}
WHOLE_REFRESHES = REFRESH_REGISTERS | {"io_control_refresh_policy": "{1'b0, free_io_control_refresh_policy[1:0]}"}
ANY_REFRESHES = REFRESH_REGISTERS | {
    "io_control_refresh_policy": "free_io_control_refresh_policy > 3'd5 ? 3'd0 : free_io_control_refresh_policy",
    "io_control_refresh_granularity": "free_io_control_refresh_granularity",
    "io_control_refresh_drainAhead": "free_io_control_refresh_drainAhead",
}

RULES = [
    "row_open",
    "row_closed",
    "tRCD",
    "tRP",
    "tRAS",
    "tRC",
    "tRTP",
    "tWR",
    "tRRD_S",
    "tRRD_L",
    "tFAW",
    "tCCD_S",
    "tCCD_L",
    "tWTR_S",
    "tWTR_L",
    "read_to_write",
    "tRTRS",
    "refresh_precharged",
    "tRFC",
    "tZQCS",
    "command",
    "data_enable",
]


def broken(rule: str) -> str:
    """A command breaks that rule of jedec_rules.sv."""
    return f"broken[{RULES.index(rule)}]"


def timing(name: str, becomes: int, breaks: str = "") -> Fault:
    """A timing register that comes out of reset with too small a value."""
    return Fault("Registers", rf"\b{name}_value <= (?P<is>\d+'h[0-9A-F]+);", f"{becomes}", broken(breaks or name))


JEDEC = {
    "jedec-2rank": Proof(
        name="jedec-2rank",
        config="formal-2rank-4phase",
        sources=("jedec.sv", "jedec_rules.sv", "reset_first.sv"),
        defines=("RANKS_2",),
        free=FREE_QUEUES,
        loose={"Registers": ANY_REFRESHES},
        mode="prove",
        depth=12,
        cover_depth=24,
        covers=("refreshed_after_a_read", "four_banks_open"),
        at={"Registers": ("weir.registers",)},
        faults={
            "tRCD": timing("tRCD", 3),
            "tRP": timing("tRP", 1),
            "tRAS": (timing("tRAS", 1), timing("tRC", 1)),
            "tRC": timing("tRC", 14),
            "tRTP": timing("tRTP", 1),
            "tWR": timing("tWR", 1),
            "tRRD_S": timing("tRRD_S", 4),
            "tRRD_L": timing("tRRD_L", 5),
            "tFAW": timing("tFAW", 30),
            "tCCD_S": timing("tCCD_S", 4),
            "tCCD_L": timing("tCCD_L", 5),
            "tWTR_S": timing("tWTR_S", 1),
            "tWTR_L": timing("tWTR_L", 3),
            "tRTRS": timing("tRTRS", 0),
            "tRFC": timing("tRFC", 24),
            "tRFC2": timing("tRFC2", 20, "tRFC"),
            "tRFC4": timing("tRFC4", 16, "tRFC"),
            "tZQCS": timing("tZQCS", 12),
        },
    ),
    "jedec-1rank": Proof(
        name="jedec-1rank",
        config="formal-1rank-2phase",
        sources=("jedec.sv", "jedec_rules.sv", "reset_first.sv"),
        free=FREE_QUEUES,
        loose={"Registers": WHOLE_REFRESHES},
        mode="prove",
        depth=24,
        cover_depth=40,
        covers=("refreshed_after_a_read", "four_banks_open"),
        at={
            "Bank": tuple(f"weir.channels_0.states.bank_state{n}" for n in ("", "_1", "_2", "_3")),
            "RankTimers": ("weir.channels_0.states.rank_timers",),
            "BusTimers": ("weir.channels_0.states.bus",),
            "BankStates": ("weir.channels_0.states",),
            "RefreshSequence": ("weir.channels_0.refresher.sequences_0",),
            "Channel": ("weir.channels_0",),
            "DfiHandover": ("weir.channels_0.handover",),
        },
        faults={
            "dfi_given_away_at_once": Fault("DfiHandover", r"done <= (?P<is>close & [^;]*);", "close", "in_the_way"),
            "no_tRP_after_the_dfi_is_taken_back": Fault(
                "RefreshSequence", r"io_refresh_T_1 \? (?P<is>3'h7) : state", "3'h0", broken("tRP")
            ),
            "reads_do_not_wait_for_tRCD": Fault("Bank", r"~\((?P<is>io_readable_waits\[0\])\)", "1'b0", broken("tRCD")),
            "activates_do_not_wait_for_tRP": Fault(
                "Bank", r"~isOpen & (?P<is>~io_activatable_waits)", "1'b1", broken("tRP")
            ),
            "precharged_row_stays_open": Fault("Bank", r"isOpen & (?P<is>~io_precharge);", "1'b1", broken("row_open")),
            "a_window_of_tFAW_is_missing": Fault(
                "RankTimers", r"window_start =\s+(?P<is>[^?;]*) \?", "1'b0", broken("tFAW")
            ),
            "reads_do_not_wait_for_writes": Fault("BusTimers", r"\{5\{(?P<is>\w+)\}\}", "1'b0", broken("tWTR_L")),
            "precharge_in_the_cycle_after_a_read": Fault("BankStates", r"& (?P<is>~columnAt);", "4'hf", broken("tRTP")),
            "refresh_closes_too_early": Fault(
                "RefreshSequence", r"\?\s+(?P<is>io_prechargeable)\s+:", "1'b1", broken("tWR")
            ),
            "reads_go_on_in_refresh": Fault(
                "Channel", r"readsServed = .* & (?P<is>~_refresher_io_blocks);", "1'b1", broken("refresh_precharged")
            ),
        },
    ),
}

ACCESS_QUEUE = {
    f"access-queue-{kind}": Proof(
        name=f"access-queue-{kind}",
        config=config,
        sources=("access_queue.sv", "reset_first.sv"),
        defines=defines,
        mode="prove",
        depth=8,
        cover_depth=16,
        covers=("younger_hit_overtakes", "one_in_one_out"),
        at={"AccessQueue": ("dut",), "ArrivalOrder": ("dut.order",)},
        faults={
            "entry_stays": Fault("AccessQueue", r"stay =\s*valid & (?P<is>[^;]*);", "2'b11", "violated"),
            "youngest_first": Fault(
                # the first is that of column commands
                "AccessQueue",
                r"(?s)wire\s+\[1:0\]\s+_order_io_before_1;.*?\(\w+ & (?P<is>_order_io_before_1)\) == 2'h0",
                "{1'b0, ~_order_io_before_1[0]}",
                "violated",
            ),
            "data_into_another_slot": Fault(
                "AccessQueue",
                r"payloads_ext \([^;]*\.W0_addr \((?P<is>next\[1\])\)",
                "1'b0",
                "leaves_wrong",
            ),
            "hit_of_another_row": Fault("AccessQueue", r"(?P<is>rows_1 == io_openedRow)", "1'b1", "violated"),
            "closed_row_stays_hit": Fault(
                "AccessQueue", r"(?P<is>banks_0(?:\[1:0\])? == io_closes_bits(?:\[1:0\])?)", "1'b0", "violated"
            ),
            "order_of_slots_lost": Fault("ArrivalOrder", r"cameBefore_1 <= (?P<is>[^;]*);", "2'b0", "violated"),
        },
    )
    for kind, config, defines in (
        ("fast", "formal-2rank-4phase", ("FAST",)),
        ("slow", "formal-1rank-2phase", ()),
    )
}

LIVE = {
    "refresh": Proof(
        name="refresh",
        config="formal-2rank-shortest",
        sources=("refresh.sv", "reset_first.sv"),
        free={name: known for name, known in FREE_QUEUES.items() if "Refresh" not in name},
        mode="bmc",
        depth=80,
        cover_depth=80,
        covers=("postponed_twice",),
        at={
            "Registers": ("weir.registers",),
            "RefreshSequence": ("weir.channels_0.refresher.sequences_0", "weir.channels_0.refresher.sequences_1"),
        },
        faults={
            "one_more_is_postponed": Fault("Registers", r"refresh_postpone_value <= (?P<is>4'h2);", "4'h3", "late"),
            "never_refreshed": Fault("RefreshSequence", r"(?P<is>io_wanted) \| io_close \? 3'h1", "1'b0", "late"),
        },
    ),
    "refresher": Proof(
        name="refresher",
        config="formal-2rank-4phase",
        sources=("refresher.sv", "reset_first.sv"),
        of="Refresher",
        # what is owed is `refresh`'s
        prepare=tuple(
            (rf"(^module {name}\((?:(?!endmodule)[\s\S])*?)~\(\$signed\(owed\) < [^;]*?\)\) begin", r"\1 1'b0) begin")
            for name in ("RefreshDebt", "RefreshDebt_1")
        ),
        mode="prove",
        depth=5,
        cover_depth=32,
        covers=("refreshed_at_the_limit", "a_part_goes"),
        at={"Refresher": ("dut",), "RefreshDebt": ("dut.debts_0",)},
        faults={
            "a_policy_is_not_overruled": Fault(
                "Refresher",
                r"\((?P<is>_debts_0_io_forced) \| casez_tmp\b",
                "_debts_0_io_forced & io_control_refresh_policy != 3'd3",
                "late",
            ),
            "time_without_a_refresh_forces_none": Fault(
                "RefreshDebt", r"\| (?P<is>\$signed\(\w+\) >= \$signed\(\w+\));\s+io_nearlyForced", "1'b0", "late"
            ),
            "a_part_gives_as_much_time_as_a_whole_one": Fault("RefreshDebt", r"\? (?P<is>leftOut) :", "2'h0", "late"),
        },
    ),
    "starvation": Proof(
        name="starvation",
        config="formal-1rank-shortest",
        sources=("starvation.sv", "reset_first.sv"),
        free={
            "Front": {},
            "Place": {"io_channels_0_writes_valid": "1'b0"},
            "Refresher": {"io_blocks": "1'b0", "io_command_valid": "1'b0"},
            "RowChoice": {},
            "ReadReturns": {},
        },
        prepare=((r"age_limit_value <= 12'h10;", "age_limit_value <= 12'h4;"),),
        mode="bmc",
        depth=32,
        cover_depth=40,
        covers=("waits_for_hits_of_others",),
        at={"AccessQueue": ("weir.channels_0.readQueue",)},
        faults={
            "urgent_is_not_seen": Fault("AccessQueue", r"urgent <= (?P<is>[^;]*? : [^;]*);", "2'b00", "late"),
            "rows_are_not_given_up": Fault("AccessQueue", r"& ~(?P<is>standBack)", "4'h0", "late"),
        },
    ),
}

ROOMS = {
    "slot-pool": Proof(
        name="slot-pool",
        config="formal-2rank-4phase",
        sources=("slot_pool.sv", "reset_first.sv"),
        mode="prove",
        depth=6,
        cover_depth=14,
        covers=("all_lent_and_back",),
        at={"SlotPool": ("dut",)},
        faults={
            "lends_what_is_lent": Fault("SlotPool", r"_taken_T = (?P<is>~used);", "4'hf", "lends_twice"),
            "forgets_what_comes_back": Fault("SlotPool", r"\(\{4\{(?P<is>~io_give_valid)\}\}", "1'b1", "loses"),
            "takes_back_another": Fault(
                "SlotPool", r"4'h1 << (?P<is>io_give_bits)", "io_give_bits ^ 2'h1", "shows_wrong"
            ),
        },
    ),
    "read-buffer": Proof(
        name="read-buffer",
        config="formal-2rank-4phase",
        sources=("read_buffer.sv", "reset_first.sv"),
        mode="bmc",
        depth=15,
        cover_depth=16,
        covers=("passed_by_another_id", "waits_for_its_turn"),
        at={
            "IdChains": ("dut.chains",),
            "SlotPool": ("dut.pool",),
            "ReadData": ("dut.data",),
            "ReadBuffer": ("dut",),
        },
        faults={
            "goes_on_before_its_next_block": Fault(
                "ReadBuffer", r"passing\) & ~\((?P<is>unfinished) & newest", "1'b0", "violated"
            ),
            "passes_before_its_next_block": Fault(
                "ReadBuffer", r"comes & ~\((?P<is>unfinished) & newest", "1'b0", "violated"
            ),
            "lost_line_is_okay": Fault("ReadBuffer", r"\{(?P<is>_data_io_lost), 1'h0\}", "1'b0", "wrong"),
            "every_slot_is_first": Fault("IdChains", r"(?P<is>_ids_ext_R0_data == io_append_bits_id)", "1'b0", "wrong"),
            "slot_lent_twice": Fault("SlotPool", r"_taken_T = (?P<is>~used);", "4'hf"),
            "data_of_another_slot": Fault("ReadData", r"\.readAddress\s*\((?P<is>\w+)\)", "2'd0", "wrong"),
        },
    ),
    "write-responses": Proof(
        name="write-responses",
        config="formal-2rank-4phase",
        sources=("write_responses.sv", "reset_first.sv"),
        mode="bmc",
        depth=14,
        cover_depth=20,
        covers=("fourth_burst_answered",),
        at={"WriteResponses": ("dut",)},
        faults={
            "answers_before_accepted": Fault("WriteResponses", r"reached = (?P<is>[^;]*);", "1'b1", "early"),
            "credit_is_kept": Fault(
                "WriteResponses",
                r"(?P<is>steps_q_io_deq_ready & _steps_q_io_deq_valid & _steps_q_io_deq_bits_line)",
                "1'b0",
                "early",
            ),
            "answer_overwritten": Fault("WriteResponses", r"load = (?P<is>[^;]*);", "1'b1", "wrong"),
        },
    ),
    "write-store": Proof(
        name="write-store",
        config="formal-2rank-4phase",
        sources=("write_store.sv", "reset_first.sv"),
        mode="prove",
        depth=6,
        cover_depth=12,
        covers=("merged_until_whole",),
        at={"WriteStore": ("dut",), r"data_2x64": ("dut.data_ext",)},
        faults={
            "merge_forgets_strobes": Fault("WriteStore", r"\((?P<is>io_put_bits_merge) \?", "1'b0", "mask_wrong"),
            "put_keeps_strobes": Fault("WriteStore", r"\((?P<is>io_put_bits_merge) \?", "1'b1", "mask_wrong"),
            "whole_with_one_byte": Fault("WriteStore", r"(?P<is>&strobe)\)", "|strobe", "whole_wrong"),
            "byte_written_without_strobe": Fault("data_2x64", r"(?P<is>W0_en & W0_mask\[3\])", "W0_en", "peeked_wrong"),
            "mask_inverted": Fault(
                "WriteStore", r"io_takenMask_REG <= (?P<is>~_strobes_ext_R1_data)", "_strobes_ext_R1_data", "mask_wrong"
            ),
        },
    ),
    "id-chains": Proof(
        name="id-chains",
        config="formal-2rank-4phase",
        sources=("id_chains.sv", "reset_first.sv"),
        mode="prove",
        depth=6,
        cover_depth=16,
        covers=("chain_of_four_leaves", "successor_of_released_while_appended"),
        at={"IdChains": ("dut",)},
        faults={
            "ids_mixed": Fault("IdChains", r"(?P<is>_ids_ext_R0_data == io_append_bits_id)", "1'b1"),
            "released_is_followed": Fault(
                "IdChains", r"& ~\((?P<is>io_release & _youngest_ext_R0_data == io_slot)\)", "1'b0"
            ),
            "unused_is_followed": Fault("IdChains", r"(?P<is>_follows_T\[0\])\s*&", "1'b1"),
            "successor_never_leads": Fault(
                "IdChains", r"(?P<is>_io_successor_valid_T\[0\]) \? 4'h1", "1'b0", "wrong_heads"
            ),
        },
    ),
}

REMAPPING = {
    "remapping": Proof(
        name="remapping",
        config="formal-remapping",
        of="RemapUnit",
        sources=("remapping.sv", "bitmap_store.sv"),
        prepare=((r"^  TaggedStore store \(", "  bitmap_store store ("),),
        free={"FrameStates": {"io_busy": "1'b0"}},
        mode="bmc",
        depth=15,
        deep=18,
        cover_from=12,
        cover_depth=14,
        covers=("redirected_by_a_fetched_pointer", "done_and_read_in_the_frame"),
        at={
            "RemapWay": ("dut.reads",),
            "RemapWay_1": ("dut.writes",),
            "AccessFence": ("dut.fence",),
            "PointerCache": ("dut.pointers",),
        },
        faults={
            "read_of_a_locked_line": Fault(
                "RemapWay", r"\? (?P<is>~\(\w+ >= io_window_done &[^)]*\))", "1'b1", "sent_wrong"
            ),
            "write_of_a_locked_line": Fault(
                "RemapWay_1", r"\? (?P<is>~\(\w+ >= io_window_done &[^)]*\))", "1'b1", "sent_wrong"
            ),
            "write_to_the_other_place": Fault(
                "RemapWay_1", r"(?P<is>io_window_toDram) == \w+ < io_window_done", "~io_window_toDram", "sent_wrong"
            ),
            "fence_does_not_wait_for_reads": Fault(
                "AccessFence", r"io_done = (?P<is>waitsReads == 2'h0)", "1'b1", "seen_locked"
            ),
            "fence_does_not_wait_for_writes": Fault(
                "AccessFence", r"io_done = waitsReads == 2'h0 & (?P<is>\w+);", "1'b1", "seen_locked"
            ),
            "pointer_below_the_frames_is_followed": Fault(
                "PointerCache", r"(?P<is>got\[51:0\] >= \{41'h0, io_control_frameBase\})", "1'b1", "astray"
            ),
        },
    ),
    "remapping-progress": Proof(
        name="remapping-progress",
        config="formal-remapping",
        of="RemapUnit",
        sources=("remapping_progress.sv",),
        free={"FrameStates": {"io_busy": "1'b0"}, r"TaggedStore(?:_\d+)?": {}, "AccessFence": {}},
        mode="bmc",
        depth=64,
        deep=70,
        cover_depth=64,
        covers=("waits_for_both_fetches", "updated_while_a_write_waits"),
        at={"RemapWay": ("dut.reads",), "RemapWay_1": ("dut.writes",)},
        faults={
            "answered_read_waits_on": Fault(
                "RemapWay", r"awaits_0 <= (?P<is>~io_bitmapMiss_answer_valid) &", "1'b1", "late"
            ),
            "answered_write_waits_on": Fault(
                "RemapWay_1", r"awaits_1 <= (?P<is>~io_pointerMiss_answer_valid) &", "1'b1", "late"
            ),
        },
    ),
}

PROOFS: dict[str, Proof] = {**JEDEC, **ACCESS_QUEUE, **ROOMS, **LIVE, **REMAPPING}
