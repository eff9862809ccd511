#include "app/output/info/data_info.h"

#include "app/tasks/base/program_file.h"
#include "inspector/external_data/data_check.h"
#include "inspector/session/artifact.h"
#include "inspector/session/record_check.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace et::output {
namespace {

namespace fs = std::filesystem;
using core::FileKind;

struct OpenProgram {
    fs::path path;
    std::shared_ptr<const program::Program> program;
};
struct OpenRecord {
    fs::path path;
    std::shared_ptr<const etrecord::Record> record;
};

/// The files that a check needs, opened.
struct OpenFiles {
    std::vector<OpenProgram> programs;
    std::vector<inspector::DataFile> data;
    std::vector<OpenRecord> records;

    void add(const fs::path& path) {
        if (path == "-") {
            return;  // can be read only once
        }
        const auto file = inspector::RecognizedFile::open(path);
        if (!file) {
            return;
        }
        if (file->kind == FileKind::TensorData) {
            if (auto read = program::TensorData::parse(file->file)) {
                data.push_back({.path = path, .data = *std::move(read)});
            }
        } else if (file->kind == FileKind::Record) {
            if (auto read = etrecord::Record::parse(file->file)) {
                records.push_back({.path = path, .record = *std::move(read)});
            }
        } else if (file->kind == FileKind::Program || file->kind == FileKind::BundledProgram) {
            if (auto read = tasks::ProgramFile::parse(*file)) {
                programs.push_back({.path = path, .program = std::move(read->program)});
            }
        }
    }
};

/// "model" for "model.pte" and "model.weights.ptd".
std::string firstPart(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.substr(0, name.find('.'));
}

Dict infoOf(const inspector::DataCheck& check, const inspector::DataQuestion& question) {
    if (check.verdict == inspector::DataVerdict::NotNeeded) {
        return {};
    }
    List files;
    std::ranges::transform(question.files, std::back_inserter(files),
                           [](const inspector::DataFile& file) { return Cell(file.path.string()); });
    Dict info{{"verdict", std::string(name(check.verdict))},
              {"summary", summary(check, question)},
              {"names", std::uint64_t{check.needed}},
              {"found", std::uint64_t{check.found}},
              {"verified", std::uint64_t{check.verified}}};
    if (!files.empty()) {
        info.emplace_back("files", std::move(files));
    }
    if (!check.contradictions.empty()) {
        info.emplace_back("contradictions", List(check.contradictions.begin(), check.contradictions.end()));
    }
    return info;
}

DataInfo checkOne(const OpenProgram& program, const OpenFiles& files) {
    const bool isOnly = files.programs.size() == 1;
    const auto belongs = [&](const fs::path& path) {
        return isOnly || firstPart(path) == firstPart(program.path);
    };
    std::vector<inspector::DataFile> data;
    std::ranges::copy_if(files.data, std::back_inserter(data),
                         [&](const inspector::DataFile& file) { return belongs(file.path); });
    const auto record = std::ranges::find_if(files.records, [&](const OpenRecord& each) {
        return belongs(each.path) && !inspector::contradiction(*each.record, *program.program);
    });
    const bool isRecorded = record != files.records.end();
    const inspector::DataQuestion question{.program = *program.program,
                                           .programPath = program.path,
                                           .files = data,
                                           .record = isRecorded ? record->record.get() : nullptr,
                                           .recordPath = isRecorded ? record->path : fs::path()};
    inspector::DataCheck check = inspector::checkData(question);
    Dict info = infoOf(check, question);
    return {
        .program = program.path, .info = std::move(info), .contradictions = std::move(check.contradictions)};
}

}  // namespace

std::vector<DataInfo> dataInfo(std::span<const fs::path> paths) {
    OpenFiles files;
    for (const fs::path& path : paths) {
        files.add(path);
    }
    std::vector<DataInfo> all;
    for (const OpenProgram& program : files.programs) {
        all.push_back(checkOne(program, files));
    }
    return all;
}

void addDataInfo(const fs::path& path, std::span<const DataInfo> checked, Dict& info) {
    const auto found = std::ranges::find(checked, path, &DataInfo::program);
    if (found != checked.end() && !found->info.empty()) {
        info.emplace_back("external_data", found->info);
    }
}

}  // namespace et::output
