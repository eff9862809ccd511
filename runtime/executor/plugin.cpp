#include "runtime/executor/plugin.h"

#include "runtime/executor/detail/foreign_plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace et::executor {
namespace {

/// Returns the loader's last error message, which includes the file name.
std::string loaderMessage() {
    const char* message = ::dlerror();
    return core::printable(message == nullptr ? "unknown failure" : message);
}

struct CloseHandle {
    void operator()(void* handle) const { ::dlclose(handle); }
};

/// Contents of a Plugin: the library, and its description if it is written for ExecuTorch's headers.
struct OpenLibrary {
    std::unique_ptr<void, CloseHandle> handle;
    std::unique_ptr<detail::ForeignPlugin> foreign{};
};

#define ET_TEXT_(name) #name
#define ET_TEXT(name) ET_TEXT_(name)
constexpr const char* foreignSymbol = ET_TEXT(ET_INSPECT_PLUGIN_SYMBOL);

}  // namespace

void Plugin::Close::operator()(void* opened) const {
    delete static_cast<OpenLibrary*>(opened);
}

core::Result<Plugin> Plugin::load(const std::filesystem::path& path) {
    const core::Where where{.file = path.string(), .field = {}, .offset = {}};
    Plugin plugin;
    // A path with a slash is never searched in the system's library folders.
    auto* const opened =
        new OpenLibrary{.handle{::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL)}};
    plugin.library.reset(opened);
    if (!opened->handle) {
        return core::fail(core::ErrorCode::Io, loaderMessage(), where);
    }
    if (void* const found = ::dlsym(opened->handle.get(), foreignSymbol); found != nullptr) {
        auto foreign = detail::ForeignPlugin::make(reinterpret_cast<et_inspect::PluginEntry>(found));
        if (!foreign) {
            return core::fail(foreign.error().code, std::move(foreign.error().message), where);
        }
        opened->foreign = std::move(*foreign);
        plugin.table = &opened->foreign->table();
        return plugin;
    }
    using Entry = const PluginTable* (*)();
    const auto entry = reinterpret_cast<Entry>(::dlsym(opened->handle.get(), pluginSymbol));
    if (entry == nullptr) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            fmt::format("not a plugin: it has neither symbol {} nor {}", pluginSymbol, foreignSymbol), where);
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
