#include "app/serve/sources.h"

#include "app/serve/conversions.h"

#include <filesystem>

namespace et::serve {

std::shared_ptr<const core::MappedFile> contents(Value& source) {
    if (const auto* const blob = source.as<Blob>()) {
        return core::MappedFile::fromMemory({blob->bytes.begin(), blob->bytes.end()}, "<bytes>");
    }
    if (source.as<Text>() == nullptr) {
        refuseType("a path or the bytes of a file", source);
    }
    return unwrap(core::MappedFile::open(Argument<std::filesystem::path>::from(source)));
}

}  // namespace et::serve
