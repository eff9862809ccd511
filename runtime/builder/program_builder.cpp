#include "runtime/builder/program_builder.h"

#include <utility>

namespace et::builder {

using core::Result;

MethodBuilder& ProgramBuilder::method(std::string_view name) {
    return methods.emplace_back(name);
}

void ProgramBuilder::addNamedData(std::string_view key, core::Bytes bytes) {
    namedData.push_back({.key = std::string(key), .bytes = {bytes.begin(), bytes.end()}});
}

Result<ProgramContent> ProgramBuilder::content() {
    ProgramContent made;
    made.constants = constants;
    for (MethodBuilder& builder : methods) {
        ET_ASSIGN(program::Method method, builder.finish());
        made.methods.push_back(std::move(method));
    }
    for (const Blob& blob : namedData) {
        made.namedData.push_back({.key = blob.key, .segment = {}, .data = blob.bytes});
    }
    return made;
}

Result<std::vector<std::byte>> ProgramBuilder::finish() {
    ET_ASSIGN(const ProgramContent made, content());
    return writeProgram(made);
}

}  // namespace et::builder
