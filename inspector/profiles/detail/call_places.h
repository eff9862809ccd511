#pragma once

#include "inspector/join/inner_handles.h"
#include "inspector/profiles/profiled_trace.h"
#include "runtime/core/strong_id.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::profiles::detail {

using CallPlace = join::detail::CallPlace;

/// Finds the Edge nodes that a text names: "aten_conv_default_1:OpId_3", "conv_1 + relu_1".
class NamedNodes {
  public:
    void add(std::string_view name, core::DebugHandle handle);
    /// Handles of the named nodes, unique, in the order of the text.
    [[nodiscard]] std::vector<core::DebugHandle> in(std::string_view text) const;

  private:
    [[nodiscard]] const std::vector<core::DebugHandle>* find(std::string_view word) const;

    std::map<std::string, std::vector<core::DebugHandle>, std::less<>> handles;  ///< by name of the node
};

/// A delegate call in a trace or program.
struct DelegatePlace {
    CallPlace place{};
    std::string backend{};      ///< empty: unknown
    bool hasOperators = false;  ///< the trace has events inside it
    std::size_t calls = 0;      ///< in the trace
    NamedNodes nodes{};
};

/// The delegate calls of the method that ran, in order. Without a trace and a program: one of an unknown
/// delegate.
[[nodiscard]] std::vector<DelegatePlace> placesOf(const ProfiledModel& model);

}  // namespace et::inspector::profiles::detail
