#pragma once

#include "inspector/events/event_table.h"
#include "tests/inspector/join_support.h"

#include <simdjson.h>

#include <string>
#include <vector>

namespace et::test {

/// A trace and ETRecord of a model with one of each case that the report distinguishes (in nanoseconds): a
/// load block; two runs of Method::execute (1000 and 2000) with a convolution in module "conv" (300, 500), a
/// softmax in the root module (100, 100), each in a call 10 longer, and a delegate call (400, 600) with two
/// fully connected operators (150 each, then 200 each) back to back.
[[nodiscard]] Blocks sampleModel(inspector::JoinOptions options = {});
/// The same trace without the ETRecord.
[[nodiscard]] Blocks sampleTrace(inspector::JoinOptions options = {});

/// The table as text; an error fails the test and returns "".
[[nodiscard]] std::string rendered(const Blocks& blocks,
                                   const inspector::events::EventTableOptions& options = {},
                                   inspector::format::Format format = inspector::format::Format::Table,
                                   inspector::format::Style style = {});

/// The cells of one column as printed by the text formats; an error fails the test.
[[nodiscard]] std::vector<std::string> columnTexts(const Blocks& blocks,
                                                   inspector::events::EventTableOptions options,
                                                   const std::string& id);

/// A JSON string as text.
[[nodiscard]] inline std::string textOf(simdjson::dom::element element) {
    return std::string(std::string_view(element));
}

/// Parses JSON; invalid JSON fails the test and returns null. The parser must outlive the element.
[[nodiscard]] simdjson::dom::element parsed(simdjson::dom::parser& parser, const std::string& json);

}  // namespace et::test
