#include "app/tasks/reduce/reduction_state.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/rewrite/number_list.h"
#include "inspector/format/json_text.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;
using inspector::format::Dict;

constexpr std::int64_t stateSchema = 1;

/// Reads members of the state, with errors that name them.
class StateReader {
  public:
    explicit StateReader(simdjson::dom::element object) : root(object) {}

    [[nodiscard]] Result<std::string> text(std::string_view key) const {
        std::string_view content;
        if (root[key].get(content) != simdjson::SUCCESS) {
            return refuse(key, "a string");
        }
        return std::string(content);
    }
    [[nodiscard]] Result<std::size_t> number(std::string_view key) const {
        std::uint64_t content = 0;
        if (root[key].get(content) != simdjson::SUCCESS) {
            return refuse(key, "a number");
        }
        return static_cast<std::size_t>(content);
    }
    [[nodiscard]] Result<std::vector<std::size_t>> list(std::string_view key) const {
        ET_ASSIGN(const std::string content, text(key));
        if (content.empty()) {
            return std::vector<std::size_t>();
        }
        auto numbers = parseNumberList(content, key);
        if (!numbers) {
            return refuse(key, "a list such as 3,5..9");
        }
        return numbers;
    }

  private:
    [[nodiscard]] static std::unexpected<core::Error> refuse(std::string_view key,
                                                             std::string_view expected) {
        return core::fail(ErrorCode::Format, fmt::format("expected {}", expected),
                          {.field = std::string(key)});
    }

    simdjson::dom::element root;
};

}  // namespace

std::string stateJson(const ReductionState& state) {
    return inspector::format::jsonDocument(
        stateSchema, Dict{{"fails", state.failure},
                          {"signature", state.signature},
                          {"inputs", std::uint64_t{state.inputs}},
                          {"instructions", numberListText(state.part.instructions)},
                          {"nodes", nodeChoiceText(state.part.nodes, state.part.instructions)}});
}

Result<ReductionState> readState(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    const simdjson::padded_string padded(text);
    if (parser.parse(padded).get(root) != simdjson::SUCCESS || !root.is_object()) {
        return core::fail(ErrorCode::Format, "expected a JSON object");
    }
    const StateReader reader(root);
    ReductionState state;
    ET_ASSIGN(state.failure, reader.text("fails"));
    ET_ASSIGN(state.signature, reader.text("signature"));
    ET_ASSIGN(state.inputs, reader.number("inputs"));
    ET_ASSIGN(state.part.instructions, reader.list("instructions"));
    ET_ASSIGN(const std::string nodes, reader.text("nodes"));
    if (!nodes.empty()) {
        auto chosen = parseNodeChoice(nodes, state.part.instructions, "nodes");
        if (!chosen) {
            return core::fail(ErrorCode::Format, chosen.error().message);
        }
        state.part.nodes = *std::move(chosen);
    }
    if (state.part.instructions.empty()) {
        return core::fail(ErrorCode::Format, "expected at least one number", {.field = "instructions"});
    }
    return state;
}

Result<> saveState(const ReductionState& state, const std::filesystem::path& file) {
    const std::string text = stateJson(state);
    return writeFile(file, producerOf(text));
}

Result<ReductionState> loadState(const std::filesystem::path& file) {
    ET_ASSIGN(const auto mapped, core::MappedFile::open(file));
    const core::Bytes bytes = mapped->bytes();
    return readState({reinterpret_cast<const char*>(bytes.data()), bytes.size()})
        .transform_error([&](core::Error error) { return std::move(error).in(file.string()); });
}

}  // namespace et::tasks
