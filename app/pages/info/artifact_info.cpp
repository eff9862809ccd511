#include "app/pages/info/artifact_info.h"

#include "inspector/session/artifact.h"

#include <array>
#include <string>
#include <utility>

namespace et::app {
namespace {

using core::Result;
using inspector::ArtifactKind;
using File = std::shared_ptr<const core::MappedFile>;

Result<Dict> readProgram(const File& file) {
    return program::Program::parse(file).transform([](const auto& read) { return programInfo(*read); });
}

Result<Dict> readTensorData(const File& file) {
    return program::TensorData::parse(file).transform([](const auto& read) { return tensorDataInfo(*read); });
}

Result<Dict> readTrace(const File& file) {
    return etdump::Trace::parse(file).transform([](const auto& read) { return traceInfo(*read); });
}

Result<Dict> readRecord(const File& file) {
    return etrecord::Record::parse(file).and_then([](const auto& read) { return recordInfo(*read); });
}

Result<Dict> readBundle(const File& file) {
    return bundled_program::Bundle::parse(file).and_then([](const auto& read) { return bundleInfo(*read); });
}

struct KindInfo {
    ArtifactKind kind;
    const char* name;  ///< as JSON says it
    Result<Dict> (*read)(const File&);
};

constexpr std::array kinds{
    KindInfo{ArtifactKind::Program, "program", readProgram},
    KindInfo{ArtifactKind::TensorData, "tensor_data", readTensorData},
    KindInfo{ArtifactKind::Trace, "trace", readTrace},
    KindInfo{ArtifactKind::Record, "record", readRecord},
    KindInfo{ArtifactKind::BundledProgram, "bundled_program", readBundle},
};

/// A tokenizer has no mark of its own: what opens as one is one.
std::optional<Dict> readTokenizer(const File& file) {
    const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
    const auto opened = inspector::openTokenizerBytes(bytes, file->name());
    return opened ? std::optional(tokenizerInfo(**opened)) : std::nullopt;
}

Dict describedFile(const File& file, std::string_view kind, Dict more) {
    Dict info{
        {"file", file->name()}, {"kind", std::string(kind)}, {"bytes", std::uint64_t{file->bytes().size()}}};
    append(info, std::move(more));
    return info;
}

}  // namespace

Result<Dict> artifactInfo(const File& file) {
    if (file->bytes().empty()) {
        return core::fail(core::ErrorCode::Format, "the file is empty", {.file = file->name()});
    }
    const ArtifactKind found = inspector::detectArtifact(file->bytes());
    for (const KindInfo& candidate : kinds) {
        if (candidate.kind == found) {
            auto read = candidate.read(file);
            if (!read) {
                return std::unexpected(std::move(read).error().in(file->name()));
            }
            return describedFile(file, candidate.name, std::move(*read));
        }
    }
    if (auto tokenizer = readTokenizer(file)) {
        return describedFile(file, "tokenizer", *std::move(tokenizer));
    }
    return core::fail(
        core::ErrorCode::Format,
        "not a file that this tool reads: expected a program (.pte), tensor data (.ptd), trace (.etdp), "
        "record (ETRecord), bundled program (.bpte) or tokenizer",
        {.file = file->name()});
}

}  // namespace et::app
