#pragma once

#include "backends/reference/interpreter.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::reference {

/// Note on the events of computed values.
inline constexpr std::string_view interpretedNote = "computed here from the payload, not a measurement";

/// Reports the values inside a delegate that an interpreter computes. A value's id is its position in the
/// description of the delegate; its operator is named "AddmmNode n7".
class DelegateTaps {
  public:
    /// `described`: its nodes have the names of those in `graph`. `graph` is borrowed.
    DelegateTaps(core::Result<core::ModelGraph> described, const etrecord::ExportedGraph& graph);
    DelegateTaps(const DelegateTaps&) = delete;  // the observer refers to it
    DelegateTaps& operator=(const DelegateTaps&) = delete;

    /// Starts a call; the result is the observer of its run. Values inside loops are reported for the first
    /// iteration only.
    [[nodiscard]] NodeObserver begin(core::EventTracer& tracer, const core::TraceIds& ids);
    /// Reports the number of values, or why there are none.
    void end();

  private:
    struct Value {
        std::uint32_t id = 0;
        std::string_view kind;  ///< of its node
        std::string label;
        bool isWanted = false;
        bool isReported = false;
    };
    void choose(core::EventTracer& tracer);
    void report(std::string_view node, std::span<const ReferenceValue> outputs);
    void reportOne(Value& value, const ReferenceTensor& tensor);

    core::Result<core::ModelGraph> description;
    const etrecord::ExportedGraph& top;
    std::set<std::string_view> topNodes;
    std::map<std::string_view, std::vector<Value>> values;  ///< by node, one per output
    core::EventTracer* tracer = nullptr;
    core::TraceIds call;
    std::uint64_t reported = 0;
};

}  // namespace et::backends::reference
