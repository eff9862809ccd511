#include "app/cli/options/store_options.h"

namespace et::cli {

void addStoreOption(OptionList& options, std::filesystem::path& store) {
    options.path("--store", store,
                 "File of the store, or postgresql://HOST/DATABASE (default: et-inspect/baselines.db in "
                 "XDG_DATA_HOME or ~/.local/share)");
}

}  // namespace et::cli
