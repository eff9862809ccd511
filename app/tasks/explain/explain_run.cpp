#include "app/tasks/explain/explain_run.h"

#include "app/tasks/base/program_file.h"
#include "app/tasks/fit/fit_run.h"
#include "inspector/explain/program_facts.h"
#include "inspector/external_data/data_check.h"
#include "inspector/session/artifact.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::FileKind;
using core::Result;

/// The kind of a file by its first bytes; a log of any size is not mapped.
Result<FileKind> kindOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in || fs::is_directory(path)) {
        return fail(ErrorCode::Io, "cannot be opened", {.file = path.string(), .field = {}, .offset = {}});
    }
    std::array<char, 64> start{};
    in.read(start.data(), start.size());
    const auto got = static_cast<std::size_t>(in.gcount());
    const bool isText = std::ranges::none_of(std::span(start).first(got), [](char c) { return c == '\0'; });
    if (isText && got > 0 && !std::string_view(start.data(), got).starts_with("PK")) {
        return FileKind::Unknown;
    }
    // UTF-16 text and binary noise in a log.
    auto opened = inspector::RecognizedFile::open(path);
    return opened ? opened->kind : FileKind::Unknown;
}

Result<> setOnce(fs::path& target, const fs::path& path, std::string_view what) {
    if (!target.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected one {}, got {} and {}", what, target.string(), path.string()));
    }
    target = path;
    return {};
}

/// Errors of delegates that do not load here, which they do not on a device either.
std::vector<std::string> delegateErrors(const fs::path& program) {
    std::vector<std::string> errors;
    const auto fit = checkFit({.models = {program}});
    if (!fit) {
        return errors;
    }
    for (const ProgramFit& each : fit->programs) {
        for (const inspector::MethodFit& method : each.methods) {
            for (const inspector::FitProblem& problem : method.problems) {
                if (problem.part == inspector::FitPart::Backend && problem.what.starts_with("delegates[")) {
                    errors.push_back(fmt::format("{}: {}", problem.subject, problem.what));
                }
            }
        }
    }
    return errors;
}

/// Whether the external weights are those of the program. Nothing: none were given.
Result<std::optional<inspector::ExplainedData>> checkWeights(const ExplainFiles& files,
                                                             const program::Program& program,
                                                             const etrecord::Record* record) {
    if (files.data.empty()) {
        return std::nullopt;
    }
    ET_ASSIGN(const auto opened, openTensorData(files.data));
    std::vector<inspector::DataFile> data;
    for (std::size_t i = 0; i < opened.size(); ++i) {
        data.push_back({.path = files.data[i], .data = opened[i]});
    }
    const inspector::DataQuestion question{
        .program = program, .programPath = files.program, .files = data, .record = record};
    const inspector::DataCheck check = inspector::checkData(question);
    return inspector::ExplainedData{
        .verdict = std::string(inspector::name(check.verdict)),
        .text = check.contradictions.empty() ? summary(check, question) : check.contradictions.front()};
}

}  // namespace

Result<ExplainFiles> sortFiles(std::span<const fs::path> files) {
    ExplainFiles out;
    for (const fs::path& path : files) {
        ET_ASSIGN(const FileKind kind, kindOf(path));
        switch (kind) {
            case FileKind::Program:
            case FileKind::BundledProgram:
            case FileKind::Package:
                ET_TRY(setOnce(out.program, path, "program"));
                break;
            case FileKind::Record:
                ET_TRY(setOnce(out.record, path, "ETRecord"));
                break;
            case FileKind::TensorData:
                out.data.push_back(path);
                break;
            case FileKind::Trace:
            case FileKind::Database:
            case FileKind::Profile:
                return fail(
                    ErrorCode::InvalidArgument,
                    fmt::format("expected a program, an ETRecord, external weights or a log, got a {}",
                                fileKindName(kind)),
                    {.file = path.string(), .field = {}, .offset = {}});
            case FileKind::Unknown:
                out.logs.push_back(path);
                break;
        }
    }
    if (!out.data.empty() && out.program.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected its program (.pte) among the files",
                    {.file = out.data.front().string(), .field = {}, .offset = {}});
    }
    return out;
}

Result<> readLog(std::istream& in, inspector::LogScanner& scanner, const std::string& name) {
    constexpr std::size_t blockBytes = std::size_t{1} << 18U;
    std::vector<char> block(blockBytes);
    while (in) {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        scanner.add(std::string_view(block.data(), static_cast<std::size_t>(in.gcount())));
    }
    if (in.bad()) {
        return fail(ErrorCode::Io, "cannot be read", {.file = name, .field = {}, .offset = {}});
    }
    return {};
}

Result<inspector::Explanation> explainLog(const ExplainFiles& files, const inspector::LogContent& log) {
    if (files.program.empty()) {
        return inspector::explain(log);
    }
    ET_ASSIGN(const ProgramFile opened, ProgramFile::open(files.program));
    ET_ASSIGN(const auto record, openRecord(files.record));
    const etrecord::Record* const used = record != nullptr ? record.get() : opened.record.get();
    ET_ASSIGN(const auto data, checkWeights(files, *opened.program, used));
    const inspector::ExplainedProgram program{
        .program = opened.program.get(),
        .name = files.program.filename().string(),
        .record = used,
        .data = data,
        .delegateErrors = [&] { return delegateErrors(files.program); }};
    return inspector::explain(log, [&](inspector::Facts& facts, bool concernsDelegates) {
        addProgramFacts(program, facts, concernsDelegates);
    });
}

}  // namespace et::tasks
