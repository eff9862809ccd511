#include "app/tasks/rewrite/payload_files.h"

#include "app/tasks/base/contained_paths.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/new_folder.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/model/model.h"
#include "inspector/delegates/payload.h"
#include "runtime/core/file_content.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view dataFolder = "named_data";
constexpr std::size_t maxParts = std::size_t{1} << 16U;
/// A damaged payload may list the same bytes many times.
constexpr std::uint64_t maxCopies = 4;

/// Writes the parts and the named data of a payload to a folder.
class PayloadFolder {
  public:
    PayloadFolder(const NewFolder& into, std::uint64_t sourceBytes)
        : folder(into), budget(maxCopies * sourceBytes) {}

    Result<PayloadFile> write(std::string_view name, fs::path file, Bytes bytes) {
        ET_TRY(InterruptionGuard::check());
        if (bytes.size() > budget) {
            return fail(
                ErrorCode::Limit,
                fmt::format("expected parts that do not overlap, got more than {} times the bytes of the "
                            "payload",
                            maxCopies));
        }
        budget -= bytes.size();
        ET_TRY(folder.write(file, bytes));
        return PayloadFile{.name = std::string(name), .file = std::move(file), .bytes = bytes.size()};
    }

  private:
    const NewFolder& folder;
    std::uint64_t budget;
};

Result<> writeParts(const inspector::DelegatePayload& payload, PayloadFolder& folder, PayloadResult& result) {
    if (payload.contents.parts.size() > maxParts) {
        return fail(ErrorCode::Limit, fmt::format("expected at most {} parts of the payload, got {}",
                                                  maxParts, payload.contents.parts.size()));
    }
    // The names of parts must not use the folder of the named data.
    ContainedPaths paths;
    ContainedPaths dataPaths;
    static_cast<void>(paths.add(dataFolder));
    for (const inspector::NamedBlob& each : payload.namedData) {
        ET_ASSIGN(PayloadFile file,
                  folder.write(each.name, fs::path(dataFolder) / dataPaths.add(each.name), each.data));
        result.namedData.push_back(std::move(file));
    }
    for (const backends::ListedPart& each : payload.contents.parts) {
        ET_ASSIGN(PayloadFile file, folder.write(each.part.name, paths.add(each.part.name), each.part.data));
        file.offset = each.offset;
        result.parts.push_back(std::move(file));
    }
    return {};
}

std::uint64_t bytesOf(const inspector::DelegatePayload& payload) {
    std::uint64_t bytes = payload.delegate->payload.size();
    for (const inspector::NamedBlob& each : payload.namedData) {
        bytes += each.data.size();
    }
    return bytes;
}

Result<> writePayload(const fs::path& path, Bytes bytes) {
    core::FileContent content;
    content.appendBorrowed(bytes);
    return writeFile(path, content);
}

/// Also writes the folder if there are parts or named data.
Result<> writeAll(const inspector::DelegatePayload& payload, PayloadResult& result) {
    if (payload.contents.parts.empty() && payload.namedData.empty()) {
        return writePayload(result.file, payload.delegate->payload);
    }
    result.folder = payloadFolder(result.file);
    ET_ASSIGN(NewFolder made, NewFolder::create(result.folder));
    PayloadFolder folder(made, bytesOf(payload));
    ET_TRY(writeParts(payload, folder, result));
    ET_TRY(made.publish());
    auto written = writePayload(result.file, payload.delegate->payload);
    if (!written) {
        made.withdraw();
    }
    return written;
}

}  // namespace

fs::path payloadFolder(const fs::path& file) {
    return file.string() + ".parts";
}

Result<PayloadResult> extractPayload(const PayloadSettings& settings) {
    ET_ASSIGN(const ProgramFile opened, ProgramFile::open(settings.model));
    ET_ASSIGN(const auto data, openTensorData(settings.tensorData));
    return extractPayload(*opened.program, data, settings);
}

Result<PayloadResult> extractPayload(const program::Program& program,
                                     std::span<const std::shared_ptr<const program::TensorData>> tensorData,
                                     const PayloadSettings& settings) {
    ET_ASSIGN(const program::Method* const method, chooseMethod(program, settings.method));
    auto payload = inspector::findPayload(program, *method, settings.delegate, tensorData);
    if (!payload) {
        return std::unexpected(std::move(payload).error().in(settings.model.string()));
    }
    std::vector<fs::path> inputs = settings.tensorData;
    inputs.push_back(settings.model);
    ET_TRY(refuseToReplace(settings.output, inputs));
    PayloadResult result{.method = std::string(method->name),
                         .delegate = settings.delegate,
                         .backend = std::string(payload->delegate->backend),
                         .file = settings.output,
                         .bytes = payload->contents.bytes,
                         .missing = std::move(payload->missing)};
    ET_TRY(writeAll(*payload, result));
    return result;
}

}  // namespace et::tasks
