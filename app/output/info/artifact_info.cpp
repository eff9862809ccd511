#include "app/output/info/artifact_info.h"

#include "runtime/core/wrapped_file.h"

#include <array>
#include <string>
#include <utility>

namespace et::output {
namespace {

using core::FileKind;
using core::Result;

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

Result<Dict> readVendorProfile(const File& file) {
    return inspector::readProfile(*file).transform(profileInfo);
}

Result<Dict> readRecord(const File& file) {
    return etrecord::Record::parse(file).and_then([](const auto& read) { return recordInfo(*read); });
}

Result<Dict> readBundle(const File& file) {
    return bundled_program::Bundle::parse(file).and_then([](const auto& read) { return bundleInfo(*read); });
}

Result<Dict> readPackage(const File& file) {
    return native::Package::parse(file).transform([](const auto& read) { return packageInfo(*read); });
}

struct KindInfo {
    FileKind kind;
    const char* name;  ///< name in JSON
    Result<Dict> (*read)(const File&);
};

constexpr std::array kinds{
    KindInfo{FileKind::Program, "program", readProgram},
    KindInfo{FileKind::TensorData, "tensor_data", readTensorData},
    KindInfo{FileKind::Trace, "trace", readTrace},
    KindInfo{FileKind::Profile, "profile", readVendorProfile},
    KindInfo{FileKind::Record, "record", readRecord},
    KindInfo{FileKind::BundledProgram, "bundled_program", readBundle},
    KindInfo{FileKind::Package, "package", readPackage},
};

}  // namespace

Result<Dict> artifactInfo(const inspector::RecognizedFile& recognized) {
    const File& file = recognized.file;
    if (file->bytes().empty()) {
        return core::fail(core::ErrorCode::Format, "the file is empty", {.file = file->name()});
    }
    for (const KindInfo& candidate : kinds) {
        if (candidate.kind == recognized.kind) {
            auto read = candidate.read(file);
            if (!read) {
                return std::unexpected(std::move(read).error().in(file->name()));
            }
            Dict info{{"file", file->name()},
                      {"kind", std::string(candidate.name)},
                      {"bytes", std::uint64_t{file->bytes().size()}}};
            append(info, std::move(*read));
            return info;
        }
    }
    if (const std::string wrapper = core::wrapperText(file->bytes()); !wrapper.empty()) {
        return core::fail(core::ErrorCode::Format, "this is " + wrapper, {.file = file->name()});
    }
    return core::fail(core::ErrorCode::Format,
                      "unsupported file: expected a program (.pte), tensor data (.ptd), trace (.etdp), "
                      "ETRecord, bundled program (.bpte), package (.ptn) or profile of a vendor's tool",
                      {.file = file->name()});
}

}  // namespace et::output
