#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/limits.h"
#include "runtime/executor/plugin.h"
#include "runtime/kernels/registry.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Shared by modules and conversations.
namespace et_inspect::detail {

/// The limits of a program that may use this many bytes.
[[nodiscard]] et::executor::Limits limitsOf(std::uint64_t memoryLimit);

/// Sets the built-in operators and backends and those of plugins, which take precedence. Errors: those of
/// Plugin::load().
[[nodiscard]] et::core::Result<> openPlugins(std::span<const std::string> paths,
                                             std::vector<et::executor::Plugin>& plugins,
                                             et::kernels::KernelRegistry& kernels,
                                             std::vector<const et::executor::Backend*>& backends);

}  // namespace et_inspect::detail
