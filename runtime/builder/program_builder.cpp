#include "runtime/builder/program_builder.h"

#include <utility>

namespace et::builder {

using core::Result;

MethodBuilder& ProgramBuilder::method(std::string_view name) {
    return methods.emplace_back(name);
}

void ProgramBuilder::addNamedData(std::string_view key, core::Bytes bytes) {
    auto copy = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    const core::Bytes copied = *copy;
    addNamedData(key, copied, std::move(copy));
}

void ProgramBuilder::addNamedData(std::string_view key, core::Bytes bytes,
                                  std::shared_ptr<const void> owner) {
    namedData.push_back({.key = std::string(key), .bytes = bytes, .owner = std::move(owner)});
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

Result<core::FileContent> ProgramBuilder::file() {
    ET_ASSIGN(const ProgramContent made, content());
    return programFile(made);
}

Result<std::vector<std::byte>> ProgramBuilder::finish() {
    return file().transform([](const core::FileContent& made) { return made.joined(); });
}

}  // namespace et::builder
