#pragma once

#include "runtime/core/metadata_decoder.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/registry.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

// Operators and backends that users provide in a shared library:
//
//     #include "runtime/executor/plugin.h"
//
//     static const et::kernels::KernelEntry mine[] = {{"my::relu6.out", et::kernels::box<&relu6Out>}};
//     ET_PLUGIN(.kernels = mine, .kernelCount = std::size(mine))
//
// The library must be built with the headers and static libraries of the same release, and the same compiler.
namespace et::executor {

/// Changes with everything that a plugin and the program share: arguments, values, delegates, this struct.
inline constexpr std::uint32_t pluginAbi = 9;

struct PluginTable {
    std::uint32_t abi = pluginAbi;
    const kernels::KernelEntry* kernels = nullptr;
    std::size_t kernelCount = 0;
    const Backend* const* backends = nullptr;
    std::size_t backendCount = 0;
    const core::MetadataDecoder* const* decoders = nullptr;  ///< decoders of delegate metadata in traces
    std::size_t decoderCount = 0;
};

/// The only symbol that a plugin exports.
inline constexpr const char* pluginSymbol = "et_inspect_plugin";

/// A loaded plugin. Must outlive everything obtained from it.
class Plugin {
  public:
    /// Errors: Io (no such file, not a shared library, an unresolved symbol), Unsupported (built for another
    /// release), InvalidArgument (not a plugin).
    [[nodiscard]] static core::Result<Plugin> load(const std::filesystem::path& path);

    [[nodiscard]] std::span<const kernels::KernelEntry> kernels() const {
        return {table->kernels, table->kernelCount};
    }
    [[nodiscard]] std::span<const Backend* const> backends() const {
        return {table->backends, table->backendCount};
    }
    [[nodiscard]] std::span<const core::MetadataDecoder* const> decoders() const {
        return {table->decoders, table->decoderCount};
    }

  private:
    struct Close {
        void operator()(void* handle) const;
    };
    std::unique_ptr<void, Close> library;
    const PluginTable* table = nullptr;
};

}  // namespace et::executor

/// Defines the entry point; accepts designated initializers of PluginTable.
#define ET_PLUGIN(...)                                                                                       \
    extern "C" __attribute__((visibility("default"))) const et::executor::PluginTable* et_inspect_plugin() { \
        static const et::executor::PluginTable table{__VA_ARGS__};                                           \
        return &table;                                                                                       \
    }
