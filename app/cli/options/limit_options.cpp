#include "app/cli/options/limit_options.h"

namespace et::cli {

void addLimitOptions(OptionList& options, tasks::LimitOptions& limits) {
    options.file("--machine", limits.machine,
                 "Measurement of the traced machine, written by 'et-inspect machine --format json' (default: "
                 "that of this machine)");
    options.integer("--machine-threads", limits.threads,
                    "Number of threads in the traced run; 0: one per CPU core (default: 1)");
}

}  // namespace et::cli
