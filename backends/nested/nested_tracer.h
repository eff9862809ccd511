#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::nested {

/// Node in the graph of describe() of an event by its name; empty if the name has none.
[[nodiscard]] std::string_view nodeOfEvent(std::string_view eventName);

/// Reports the instructions of a nested method as operators of the delegate call that runs it:
/// "aten::add.out #3", and "Fully Connected (NC, F32) GEMM #1 (4)" for an operator of its delegate in
/// instruction 4. Values are not traced.
class NestedTracer final : public core::EventTracer {
  public:
    /// Borrows the method.
    explicit NestedTracer(const program::Method& nested) : method(nested) {}

    /// Sets the receiver of later events; without a tracer, there must be none.
    void setCall(const executor::DelegateCallContext& call);

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view /*blockName*/) override {}
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view /*text*/) override { return 0; }
    void allocation(std::uint32_t /*allocatorId*/, std::uint64_t /*bytes*/) override {}

  private:
    struct Place {
        std::int64_t chain = 0;
        std::int32_t instruction = 0;
        std::string inner{};  ///< operator of a delegate

        std::strong_ordering operator<=>(const Place&) const = default;
    };

    [[nodiscard]] const std::string& textOf(const Place& place);

    const program::Method& method;
    core::EventTracer* receiver = nullptr;
    core::TraceIds call;
    core::TraceName unnamed;
    std::map<std::string, std::uint32_t, std::less<>> names;
    std::map<Place, std::string> texts;
    Place reported;  ///< instruction of the last operator of a delegate
};

}  // namespace et::backends::nested
