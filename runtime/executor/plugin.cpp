#include "runtime/executor/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace et::executor {
namespace {

/// Returns the loader's last error message, which includes the file name.
std::string loaderMessage() {
    const char* message = ::dlerror();
    return core::printable(message == nullptr ? "unknown failure" : message);
}

}  // namespace

void Plugin::Close::operator()(void* handle) const {
    ::dlclose(handle);
}

core::Result<Plugin> Plugin::load(const std::filesystem::path& path) {
    const core::Where where{.file = path.string(), .field = {}, .offset = {}};
    Plugin plugin;
    // A path with a slash is never searched in the system's library folders.
    plugin.library.reset(::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!plugin.library) {
        return core::fail(core::ErrorCode::Io, loaderMessage(), where);
    }
    using Entry = const PluginTable* (*)();
    const auto entry = reinterpret_cast<Entry>(::dlsym(plugin.library.get(), pluginSymbol));
    if (entry == nullptr) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("not a plugin: it has no symbol {}", pluginSymbol), where);
    }
    plugin.table = entry();
    if (plugin.table == nullptr || plugin.table->abi != pluginAbi) {
        return core::fail(
            core::ErrorCode::Unsupported,
            fmt::format("expected plugin interface version {}, got {}", pluginAbi,
                        plugin.table == nullptr ? "none" : fmt::format("{}", plugin.table->abi)),
            where);
    }
    return plugin;
}

}  // namespace et::executor
