#include "app/cli/options/limit_options.h"

namespace et::app {

void addLimitOptions(OptionList& options, LimitOptions& limits) {
    options.file(
        "--machine", limits.machine,
        "Measurement of the machine that the trace is of, as 'et-inspect machine --format json' writes it "
        "(default: that of this machine)");
    options.integer("--machine-threads", limits.threads,
                    "Threads that the trace ran with; 0: one per CPU core (default: 1)");
}

}  // namespace et::app
