#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/plugin.h"
#include "runtime/kernels/registry.h"
#include "runtime/plugin/include/et_inspect/plugin_interface.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace et::executor::detail {

/// Kernels and backends of a library that is written for ExecuTorch's headers.
class ForeignPlugin {
  public:
    /// Errors: Unsupported (compiled with other headers), InvalidArgument (invalid registrations), Limit (too
    /// many kernels in a process).
    [[nodiscard]] static core::Result<std::unique_ptr<ForeignPlugin>> make(et_inspect::PluginEntry entry);
    ForeignPlugin(const ForeignPlugin&) = delete;
    ForeignPlugin& operator=(const ForeignPlugin&) = delete;
    ~ForeignPlugin();

    [[nodiscard]] const PluginTable& table() const { return described; }

  private:
    explicit ForeignPlugin(const et_inspect::Plugin& from) : plugin(from) {}

    core::Result<> addKernels();
    void addBackends();

    const et_inspect::Plugin& plugin;
    std::vector<std::size_t> numbers;  ///< of kernels in this process
    std::vector<kernels::KernelEntry> entries;
    std::vector<std::unique_ptr<Backend>> owned;
    std::vector<const Backend*> backends;
    PluginTable described;
};

/// The backend with a number in the library's table.
[[nodiscard]] std::unique_ptr<Backend> makeForeignBackend(const et_inspect::Plugin& plugin,
                                                          std::size_t number);

}  // namespace et::executor::detail
