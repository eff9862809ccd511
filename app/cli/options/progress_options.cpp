#include "app/cli/options/progress_options.h"

#include <array>

namespace et::cli {
namespace {

constexpr std::array modes{Choice{"auto", tasks::ProgressMode::Auto},
                           Choice{"json", tasks::ProgressMode::Json},
                           Choice{"none", tasks::ProgressMode::None}};

}  // namespace

void addProgressOptions(OptionList& options, tasks::ProgressOptions& progress) {
    options
        .choice("--progress", progress.mode, modes,
                "Show progress; auto: on a terminal, json: as JSON lines (default: auto)")
        .in("Output");
    options.integer("--progress-fd", progress.descriptor, "File descriptor for --progress json (default: 2)")
        .in("Output");
}

}  // namespace et::cli
