#include "app/pages/info/artifact_facts.h"

#include "inspector/session/artifact.h"

#include <array>
#include <string>
#include <utility>

namespace et::cli {
namespace {

using core::Result;
using inspector::ArtifactKind;
using File = std::shared_ptr<const core::MappedFile>;

Result<Dict> readProgram(const File& file) {
    return program::Program::parse(file).transform([](const auto& read) { return programFacts(*read); });
}

Result<Dict> readTensorData(const File& file) {
    return program::TensorData::parse(file).transform(
        [](const auto& read) { return tensorDataFacts(*read); });
}

Result<Dict> readTrace(const File& file) {
    return etdump::Trace::parse(file).transform([](const auto& read) { return traceFacts(*read); });
}

Result<Dict> readRecord(const File& file) {
    return etrecord::Record::parse(file).and_then([](const auto& read) { return recordFacts(*read); });
}

Result<Dict> readBundle(const File& file) {
    return bundled_program::Bundle::parse(file).and_then([](const auto& read) { return bundleFacts(*read); });
}

struct KindFacts {
    ArtifactKind kind;
    const char* name;  ///< as JSON says it
    Result<Dict> (*read)(const File&);
};

constexpr std::array kinds{
    KindFacts{ArtifactKind::Program, "program", readProgram},
    KindFacts{ArtifactKind::TensorData, "tensor_data", readTensorData},
    KindFacts{ArtifactKind::Trace, "trace", readTrace},
    KindFacts{ArtifactKind::Record, "record", readRecord},
    KindFacts{ArtifactKind::BundledProgram, "bundled_program", readBundle},
};

}  // namespace

Result<Dict> artifactFacts(const File& file) {
    if (file->bytes().empty()) {
        return core::fail(core::ErrorCode::Format, "the file is empty", {.file = file->name()});
    }
    const ArtifactKind found = inspector::detectArtifact(file->bytes());
    for (const KindFacts& candidate : kinds) {
        if (candidate.kind == found) {
            auto read = candidate.read(file);
            if (!read) {
                return std::unexpected(std::move(read).error().in(file->name()));
            }
            Dict facts{{"file", file->name()},
                       {"kind", std::string(candidate.name)},
                       {"bytes", std::uint64_t{file->bytes().size()}}};
            append(facts, std::move(*read));
            return facts;
        }
    }
    return core::fail(
        core::ErrorCode::Format,
        "not a file that this tool reads: expected a program (.pte), tensor data (.ptd), trace (.etdp), "
        "record (ETRecord) or bundled program (.bpte)",
        {.file = file->name()});
}

}  // namespace et::cli
