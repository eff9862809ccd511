#include "backends/native/describe.h"

#include "runtime/native/model_graph.h"
#include "runtime/native/read_graph.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace et::backends::native {

using core::ModelGraph;
using core::Result;

Result<ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const et::native::Program program, et::native::parseProgram(payload));
    if (program.methods.size() != 1) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("expected one method, got {}", program.methods.size()),
                          {.field = "methods"});
    }
    const auto find = [&](std::string_view key) -> std::optional<et::native::StoredTensor> {
        const auto found = namedData.find(key);
        return found ? std::optional(et::native::StoredTensor{.data = *found}) : std::nullopt;
    };
    return et::native::modelGraph(program.methods.front(), find, true);
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    ET_TRY(et::native::parseProgram(delegate.payload));
    contents.described.addFlatbuffer(delegate.payload, et::native::graphIdentifier, et::native::graphTypes());
    return {};
}

}  // namespace et::backends::native
