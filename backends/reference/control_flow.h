#pragma once

#include "backends/reference/plan.h"
#include "backends/reference/runner.h"

#include <string_view>
#include <vector>

namespace et::backends::reference {

/// A call of an operator without a kernel: it runs subgraphs, or writes to its arguments.
struct ControlCall {
    Runner& runner;
    Frame& frame;
    const Step& step;
};

struct ControlOperator {
    std::string_view name;  ///< "higher_order.cond"
    core::Result<std::vector<ReferenceValue>> (*run)(const ControlCall& call);
    bool mutates = false;      ///< writes to values that may be shared
    bool takesModule = false;  ///< its first argument is the name of a lowered module
};

/// Null for other targets.
[[nodiscard]] const ControlOperator* findControl(std::string_view target);

}  // namespace et::backends::reference
