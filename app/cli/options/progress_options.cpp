#include "app/cli/options/progress_options.h"

#include "app/cli/option_types.h"

#include <array>

namespace et::cli {
namespace {

constexpr std::array modes{Word{"auto", ProgressMode::Auto}, Word{"json", ProgressMode::Json},
                           Word{"none", ProgressMode::None}};

}  // namespace

void addProgressOptions(CLI::App& app, ProgressOptions& options) {
    addChoice(app, "--progress", options.mode, modes,
              "How to say how far it is: auto, a line on a terminal; json, lines for programs (docs/json.md) "
              "(default: auto)")
        ->group("Output");
    addWhole(app, "--progress-fd", options.descriptor,
             "File descriptor that --progress json writes to (default: 2)")
        ->group("Output");
}

}  // namespace et::cli
