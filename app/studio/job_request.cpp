#include "app/studio/job_request.h"

#include "app/tasks/model/model.h"
#include "app/tasks/rewrite/number_list.h"
#include "backends/delegate_part.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/session/package_program.h"
#include "inspector/session/session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;
using core::DebugHandle;
using inspector::Session;

void addFixOption(QStringList& argv, const QString& name, const QString& value) {
    if (!value.isEmpty()) {
        argv.append(name + u'=' + value);
    }
}

QString fixPathText(const fs::path& path) {
    return QFile::decodeName(path.c_str());
}

struct JobKindInfo {
    const char* command;
    bool takesRecord;
    bool tells;                  ///< has --progress
    std::string_view ending;     ///< suffix of the output's name, after the model's name
    std::string_view extension;  ///< empty: a folder, or the model's extension
};

const JobKindInfo& infoOf(JobKind kind) {
    static constexpr JobKindInfo reduce{"reduce", true, true, "_reduced", ""};
    static constexpr JobKindInfo extract{"extract", true, false, "_part", ".bpte"};
    static constexpr JobKindInfo replan{"replan", false, false, "_replanned", ""};
    static constexpr JobKindInfo soak{"soak", false, true, "", ""};
    switch (kind) {
        case JobKind::Reduce:
            return reduce;
        case JobKind::Extract:
            return extract;
        case JobKind::Replan:
            return replan;
        case JobKind::Soak:
            break;
    }
    return soak;
}

const fs::path& modelOf(const Session& session) {
    return inspector::runnableFile(session.files);
}

/// Returns the first of NAME, NAME_2, ... that does not exist.
fs::path freePath(const fs::path& folder, const std::string& name, const std::string& extension) {
    std::error_code unknown;
    fs::path path = folder / (name + extension);
    for (int number = 2; fs::exists(path, unknown); ++number) {
        path = folder / (name + '_' + std::to_string(number) + extension);
    }
    return path;
}

fs::path defaultOutput(const fs::path& model, JobKind kind) {
    const JobKindInfo& traits = infoOf(kind);
    if (kind == JobKind::Soak) {
        return {};
    }
    const bool writable = QFileInfo(fixPathText(model.parent_path())).isWritable();
    const fs::path folder =
        writable ? model.parent_path() : fs::path(QFile::encodeName(QDir::homePath()).toStdString());
    const std::string extension =
        kind == JobKind::Replan ? model.extension().string() : std::string(traits.extension);
    return freePath(folder, model.stem().string() + std::string(traits.ending), extension);
}

/// The selection as instructions of one method.
struct ChosenInstructions {
    std::string method;  ///< empty: unknown
    std::set<std::size_t> instructions;
    std::set<DebugHandle> inside;  ///< of operators inside a delegate
};

ChosenInstructions ofEvents(const Session& session, std::span<const visualizers::EventRef> events) {
    ChosenInstructions found;
    for (const visualizers::EventRef& ref : events) {
        const inspector::Block& block = session.blocks->blocks()[ref.block];
        const inspector::Event& event = block.events[ref.event];
        if (event.chain != 0 || event.instruction.value < 0 ||
            (!found.instructions.empty() && block.method != found.method)) {
            continue;
        }
        found.method = block.method;
        found.instructions.insert(static_cast<std::size_t>(event.instruction.value));
        if (event.delegated && event.handleSource != inspector::HandleSource::UnmappedDelegate) {
            found.inside.insert(event.handles.begin(), event.handles.end());
        }
    }
    return found;
}

ChosenInstructions ofHandles(const Session& session, const visualizers::Choice& choice) {
    ChosenInstructions found{.method = choice.method,
                             .instructions = {},
                             .inside = {choice.handles.begin(), choice.handles.end()}};
    const auto method = tasks::chooseMethod(*session.program, choice.method);
    if (!method || (*method)->chains.empty()) {
        return found;
    }
    const inspector::InstructionNodes nodes(session.recordOfProgram(), (*method)->name);
    for (std::size_t i = 0; i < (*method)->chains.front().instructions.size(); ++i) {
        const auto own = nodes.handlesOf(core::InstructionId(static_cast<std::int32_t>(i)));
        if (std::ranges::any_of(own, [&](DebugHandle each) { return found.inside.contains(each); })) {
            found.instructions.insert(i);
        }
    }
    return found;
}

ChosenInstructions chosenInstructions(const Session& session, const visualizers::Selection& selection) {
    ChosenInstructions found;
    if (session.blocks != nullptr) {
        found = ofEvents(session, selection.events());
    }
    if (!found.instructions.empty()) {
        return found;
    }
    const visualizers::Choice choice = selection.choice();
    if (choice.instruction && choice.instruction->instruction.value >= 0) {
        return {.method = choice.instruction->method,
                .instructions = {static_cast<std::size_t>(choice.instruction->instruction.value)},
                .inside = {}};
    }
    return choice.handles.empty() ? ChosenInstructions() : ofHandles(session, choice);
}

/// Returns the indices of a delegate call's operators that have one of the handles. Empty if all of them
/// have, if it is not a delegate call, or if its backend does not list its operators.
std::vector<std::size_t> nodesWith(const Session& session, const ChosenInstructions& chosen) {
    const auto method = tasks::chooseMethod(*session.program, chosen.method);
    if (chosen.inside.empty() || chosen.instructions.size() != 1 || !method || (*method)->chains.empty()) {
        return {};
    }
    const auto& chain = (*method)->chains.front().instructions;
    const std::size_t only = *chosen.instructions.begin();
    const auto* const call = only < chain.size() ? std::get_if<program::DelegateCall>(&chain[only]) : nullptr;
    const auto inside = call == nullptr ? core::Result<std::vector<backends::DelegateNode>>()
                                        : backends::nodesIn((*method)->delegate(call->delegate));
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; inside && i < inside->size(); ++i) {
        const auto handle = (*inside)[i].debugHandle;
        if (handle && chosen.inside.contains(DebugHandle(*handle))) {
            nodes.push_back(i);
        }
    }
    return inside && nodes.size() < inside->size() ? nodes : std::vector<std::size_t>();
}

}  // namespace

QStringList argumentsOf(const JobRequest& request) {
    const JobKindInfo& traits = infoOf(request.kind);
    QStringList argv{QLatin1String(traits.command)};
    for (const auto& [name, value] : request.options.asKeyValueRange()) {
        addFixOption(argv, name, value);
    }
    if (request.kind != JobKind::Replan) {
        addFixOption(argv, QStringLiteral("--method"), request.method);
    }
    addFixOption(argv, QStringLiteral("--data"), fixPathText(request.tensorData));
    if (traits.takesRecord) {
        addFixOption(argv, QStringLiteral("--etrecord"), fixPathText(request.record));
    }
    addFixOption(argv, QStringLiteral("--output"), fixPathText(request.output));
    return argv + QStringList{QStringLiteral("--"), fixPathText(request.model)};
}

bool reportsProgress(JobKind kind) {
    return infoOf(kind).tells;
}

std::optional<JobRequest> fixRequest(JobKind kind, const Session* session) {
    if (session == nullptr || !session->program) {
        return std::nullopt;
    }
    const inspector::SessionFiles& files = session->files;
    JobRequest request{.kind = kind,
                       .model = modelOf(*session),
                       .tensorData = files.tensorData,
                       .record = session->recordOfProgram() != nullptr ? files.record : fs::path(),
                       .method = {},
                       .output = {}};
    if (request.model.empty()) {
        return std::nullopt;
    }
    request.output = defaultOutput(request.model, kind);
    return request;
}

std::optional<JobRequest> extractRequest(const Session* session, const visualizers::Selection& selection) {
    auto request = fixRequest(JobKind::Extract, session);
    if (!request) {
        return std::nullopt;
    }
    const ChosenInstructions chosen = chosenInstructions(*session, selection);
    if (chosen.instructions.empty()) {
        return std::nullopt;
    }
    const auto listed = [](const auto& numbers) {
        return QString::fromStdString(
            tasks::numberListText(std::vector<std::size_t>(numbers.begin(), numbers.end())));
    };
    request->method = visualizers::toQString(chosen.method);
    request->options = {{QStringLiteral("--instructions"), listed(chosen.instructions)},
                        {QStringLiteral("--nodes"), listed(nodesWith(*session, chosen))}};
    return request;
}

bool canExtract(const Session* session, const visualizers::Selection& selection) {
    return session != nullptr && session->program && !modelOf(*session).empty() &&
           !chosenInstructions(*session, selection).instructions.empty();
}

std::vector<fs::path> writtenFiles(const JobRequest& request) {
    std::vector<fs::path> files{request.kind == JobKind::Reduce ? request.output / "part.bpte"
                                                                : request.output};
    if (request.kind == JobKind::Reduce && !fs::exists(files.front())) {
        files.front().replace_extension(".pte");
    }
    const fs::path record = fs::path(files.front()).replace_extension(".etrecord");
    std::error_code unknown;
    if (request.kind != JobKind::Replan && fs::exists(record, unknown)) {
        files.push_back(record);
    }
    std::erase_if(files, [&](const fs::path& each) { return !fs::exists(each, unknown); });
    return files;
}

}  // namespace et::studio
