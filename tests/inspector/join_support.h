#pragma once

#include "etdump/writer.h"
#include "etrecord/writer.h"
#include "inspector/join/event_blocks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

using Blocks = std::shared_ptr<const inspector::EventBlocks>;
using Record = std::shared_ptr<const etrecord::Record>;
using Trace = std::shared_ptr<const etdump::Trace>;

[[nodiscard]] Trace traceOf(etdump::TraceWriter& writer);
[[nodiscard]] Record recordOf(const etrecord::RecordWriter& writer);

/// Joins; an error fails the test and returns null.
[[nodiscard]] Blocks join(Trace trace, Record record = nullptr, inspector::JoinOptions options = {},
                          std::shared_ptr<const core::MappedFile> debugBuffer = nullptr);

/// Returns ids of an event of instruction `number` in chain 0.
[[nodiscard]] etdump::EventIds at(std::int32_t number);
[[nodiscard]] etdump::EventIds delegated(std::int32_t number, std::string_view identifier);
[[nodiscard]] etdump::EventIds delegated(std::int32_t number, std::int32_t identifier);

/// Writes the events of a kernel and of its call: `ticks` long, starting at `start`.
void writeKernel(etdump::TraceWriter& writer, std::int32_t instruction, std::string_view name,
                 std::uint64_t start = 0, std::uint64_t ticks = 10);
void writeDelegateCall(etdump::TraceWriter& writer, std::int32_t instruction);
void writeExecute(etdump::TraceWriter& writer);

/// Returns an Edge graph with one node per operator ("aten.add.Tensor"); debug handles start at 1.
[[nodiscard]] etrecord::ExportedGraph edgeGraph(const std::vector<std::string>& operators);

/// Maps instruction i to debug handle i + 1, as a plain number.
[[nodiscard]] etrecord::MethodMaps plainMaps(std::int32_t instructions);

/// An ETRecord of one method, `forward`, whose instruction i runs operator i.
[[nodiscard]] Record recordFor(const std::vector<std::string>& operators);

/// A complete run of these kernels ("add.out") after loading: blocks "Default" and "Execute".
[[nodiscard]] Trace traceFor(const std::vector<std::string>& kernels);

/// Returns the event of this name in a block; fails the test and returns an empty event if there is none.
[[nodiscard]] const inspector::Event& eventNamed(const inspector::Block& block, std::string_view name);
[[nodiscard]] std::vector<std::string> namesOf(const inspector::Block& block);
[[nodiscard]] std::vector<std::int64_t> handlesOf(const inspector::Event& event);

}  // namespace et::test
