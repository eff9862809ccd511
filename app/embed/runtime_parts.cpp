#include "app/embed/runtime_parts.h"

#include "backends/builtin.h"
#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <utility>

namespace et_inspect::detail {

et::executor::Limits limitsOf(std::uint64_t memoryLimit) {
    et::executor::Limits limits{.memoryBytes = memoryLimit};
    limits.temporaryBytes = std::min(limits.temporaryBytes, limits.memoryBytes);
    return limits;
}

et::core::Result<> openPlugins(std::span<const std::string> paths, std::vector<et::executor::Plugin>& plugins,
                               et::kernels::KernelRegistry& kernels,
                               std::vector<const et::executor::Backend*>& backends) {
    kernels = et::kernels::builtin();
    backends.assign(et::backends::builtin().begin(), et::backends::builtin().end());
    plugins.clear();
    for (const std::string& path : paths) {
        ET_ASSIGN(et::executor::Plugin plugin, et::executor::Plugin::load(path));
        kernels.add(plugin.kernels());
        backends.insert(backends.begin(), plugin.backends().begin(), plugin.backends().end());
        plugins.push_back(std::move(plugin));
    }
    return {};
}

}  // namespace et_inspect::detail
