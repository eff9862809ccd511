"""The command line of ExecuTorch's Inspector: ``python -m et_inspect.devtools.inspector.inspector_cli``."""

from __future__ import annotations

import argparse

from ._comparison import compare_results
from ._events import TimeScale
from ._inspector import Inspector


def main() -> None:
    """Prints the events of a trace; the arguments are those of ExecuTorch's ``inspector_cli``."""
    arguments = _parser().parse_args()
    inspector = Inspector(
        etdump_path=arguments.etdump_path,
        etrecord=arguments.etrecord_path,
        debug_buffer_path=arguments.debug_buffer_path,
        source_time_scale=arguments.source_time_scale,
        target_time_scale=arguments.target_time_scale,
    )
    if arguments.method_name:
        inspector.event_blocks = inspector._blocks_of_method(arguments.method_name)
    inspector.print_data_tabular()
    if arguments.tsv_path:
        inspector.save_data_to_tsv(arguments.tsv_path)
    if arguments.module_name:
        total = inspector.find_total_for_module(arguments.module_name)
        print(f"{arguments.module_name}: {total:g} {arguments.target_time_scale}")
    for block in inspector.event_blocks if arguments.compare_results else ():
        if block.name == "Execute" and block.reference_output is not None:
            compare_results(reference_output=block.reference_output, run_output=block.run_output or [], plot=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Print the events of an ETDump.")
    scales = [scale.value for scale in TimeScale]
    parser.add_argument("--etdump_path", required=True, help="the trace")
    parser.add_argument("--etrecord_path", help="the program's ETRecord")
    parser.add_argument("--debug_buffer_path", help="the debug buffer")
    parser.add_argument("--source_time_scale", choices=scales, default=TimeScale.NS.value, help="unit of the runtime's clock")
    parser.add_argument("--target_time_scale", choices=scales, default=TimeScale.MS.value, help="unit of the times printed")
    parser.add_argument("--tsv_path", help="write the table as tab-separated values to this file")
    parser.add_argument("--method_name", help="print only runs of this method")
    parser.add_argument("--module_name", help="print the total time of this module")
    parser.add_argument("--compare_results", action="store_true", help="compare outputs with the ETRecord's and plot them")
    return parser


if __name__ == "__main__":
    main()
