// Tests that real files are read completely and consistently.
#include "etdump/trace.h"
#include "runtime/core/scalar_type.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace et::etdump {
namespace {

/// Returns every tensor logged in a trace.
std::vector<DebugTensor> loggedTensors(const Trace& trace) {
    std::vector<DebugTensor> tensors;
    for (EventIndex event = 0; event < trace.eventCount(); ++event) {
        if (trace.events().kind[event] != EventKind::Debug) {
            continue;
        }
        const DebugValue& value = trace.debugValue(event);
        if (const auto* tensor = std::get_if<DebugTensor>(&value.value)) {
            tensors.push_back(*tensor);
        } else if (const auto* list = std::get_if<std::vector<DebugTensor>>(&value.value)) {
            tensors.insert(tensors.end(), list->begin(), list->end());
        }
    }
    return tensors;
}

std::size_t countNamed(const Trace& trace, std::string_view name) {
    return static_cast<std::size_t>(
        std::ranges::count_if(trace.events().name, [&](NameId id) { return trace.text(id) == name; }));
}

TEST(RealTraces, EachExecuteRunEndsWithItsMethod) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : test::sharedFiles("traces", ".etdp")) {
        SCOPED_TRACE(path);
        const auto trace = Trace::open(path);
        ASSERT_TRUE(trace) << trace.error().toString();
        const auto executions = static_cast<std::size_t>(std::ranges::count_if(
            (*trace)->runs(), [&](const auto& run) { return (*trace)->text(run.name) == "Execute"; }));
        EXPECT_GT(executions, 0U);
        EXPECT_EQ(countNamed(**trace, "Method::execute"), executions);
    }
}

TEST(RealTraces, ProfileEventsEndAfterTheyStart) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : test::sharedFiles("traces", ".etdp")) {
        const auto trace = Trace::open(path).value();
        const EventColumns& events = trace->events();
        for (EventIndex event = 0; event < trace->eventCount(); ++event) {
            if (events.kind[event] == EventKind::Profile) {
                EXPECT_GE(events.end[event], events.start[event]) << path << " event " << event;
            }
        }
    }
}

TEST(RealTraces, LoggedTensorsFillTheDebugBuffer) {
    ET_NEEDS_SHARED_DATA();
    std::size_t checked = 0;
    for (const auto& path : test::sharedFiles("traces", ".etdp")) {
        const auto buffer = path.parent_path() / "debug_buffer.bin";
        if (!std::filesystem::exists(buffer)) {
            continue;
        }
        SCOPED_TRACE(path);
        std::int64_t end = 0;
        for (const DebugTensor& tensor : loggedTensors(*Trace::open(path).value())) {
            const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes);
            ASSERT_TRUE(bytes);
            EXPECT_EQ(tensor.sizes.size(), tensor.strides.size());
            end = std::max(end, tensor.offset + *bytes);
        }
        EXPECT_EQ(end, static_cast<std::int64_t>(std::filesystem::file_size(buffer)));
        ++checked;
    }
    EXPECT_GT(checked, 0U);
}

TEST(RealTraces, OutputsAreMarked) {
    ET_NEEDS_SHARED_DATA();
    const auto trace = Trace::open(test::sharedData() / "traces/simple_portable_debug/trace.etdp").value();
    const EventColumns& events = trace->events();
    const EventIndex last = static_cast<EventIndex>(trace->eventCount() - 1);
    ASSERT_EQ(events.kind[last], EventKind::Debug);
    EXPECT_TRUE(trace->debugValue(last).programOutput);
    EXPECT_EQ(events.chain[last], -1);
    EXPECT_EQ(events.name[last], noName);
}

TEST(RealTraces, AFileOf2023Reads) {
    ET_NEEDS_SHARED_DATA();
    const auto trace = Trace::open(test::sharedData() / "legacy/etdump_2023.etdp");
    ASSERT_TRUE(trace) << trace.error().toString();
    ASSERT_EQ((*trace)->runs().size(), 2U);
    EXPECT_EQ((*trace)->text((*trace)->runs()[1].name), "Execute");
    EXPECT_EQ((*trace)->eventCount(), 31U);
    EXPECT_EQ(countNamed(**trace, "OPERATOR_CALL"), 14U);
    EXPECT_EQ(countNamed(**trace, "native_call_addmm.out"), 3U);
    EXPECT_EQ(countNamed(**trace, "Method::execute"), 1U);
}

}  // namespace
}  // namespace et::etdump
