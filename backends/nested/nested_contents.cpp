#include "backends/nested/copied_payload.h"
#include "backends/nested/nested_program.h"
#include "backends/payload_contents.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/program.h"
#include "runtime/program/schema_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

namespace et::backends::nested {
namespace {

constexpr std::size_t headerAt = 8;

/// Lists the delegates of the program, and the contents of those that run in nested programs.
class InnerDelegates {
  public:
    InnerDelegates(const CopiedPayload& payload, PayloadContents& into) : copied(payload), contents(into) {}

    void list(const program::Program& program) {
        for (const program::Method& method : program.methods) {
            for (std::size_t i = 0; i < method.delegates.size(); ++i) {
                const program::Delegate& delegate = method.delegates[i];
                contents.parts.push_back(
                    {.name = fmt::format("{}/delegate {} {}", method.name, i, delegate.backend),
                     .data = copied.original(delegate.payload)});
            }
        }
        std::vector<core::Bytes> payloads;
        std::ranges::transform(contents.parts, std::back_inserter(payloads), &PayloadPart::data);
        contents.described.remove(payloads);
        const executor::ModuleData data(program, {});
        for (const program::Method& method : program.methods) {
            for (const program::Delegate& delegate : method.delegates) {
                describe(delegate, data);
            }
        }
    }

  private:
    /// Delegates may share a payload.
    void describe(const program::Delegate& delegate, const executor::NamedDataSource& data) {
        if (delegate.backend == "ExecutorBackend" || !seen.insert(delegate.payload.data()).second ||
            delegate.payload.size() > budget) {
            return;
        }
        budget -= delegate.payload.size();
        PayloadContents inner(delegate.payload);
        if (backends::listContents(delegate, data, inner)) {
            contents.described.addInner(copied.original(delegate.payload), inner.described);
        }
    }

    const CopiedPayload& copied;
    PayloadContents& contents;
    std::set<const std::byte*> seen;
    std::size_t budget = copied.size();  ///< a hostile program could have many overlapping payloads
};

}  // namespace

core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                            PayloadContents& contents) {
    const core::Bytes payload = delegate.payload;
    ET_ASSIGN(const auto program, parseNested(payload));
    const CopiedPayload copied(payload, program->bytes);
    const std::size_t header = program->header ? program->header->length : 0;
    contents.described.add(payload.data() + headerAt, header);
    contents.described.addFlatbuffer(payload, program::programIdentifier, program::programTypes());
    for (const program::Segment& segment : program->segments) {
        const core::Bytes bytes = copied.original(segment.data);
        if (segment.use != program::SegmentUse::Delegate && segment.use != program::SegmentUse::Unused) {
            contents.described.add(bytes.data(), bytes.size());
        }
    }
    InnerDelegates(copied, contents).list(*program);
    return {};
}

}  // namespace et::backends::nested
