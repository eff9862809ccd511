#include "visualizers/overview/overview.h"

#include "backends/builtin.h"
#include "inspector/delegates/delegates.h"
#include "inspector/report/event_rows.h"
#include "visualizers/text.h"

#include <QLocale>
#include <QObject>
#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::Block;
using inspector::Event;
using inspector::Session;
using inspector::SessionFiles;
using Lines = std::vector<OverviewLine>;
using Mood = OverviewLine::Mood;

constexpr std::size_t mostFindings = 5;

struct FileKind {
    std::filesystem::path SessionFiles::* path;
    const char* name;  ///< untranslated
};
constexpr std::array fileKinds{
    FileKind{&SessionFiles::program, QT_TRANSLATE_NOOP("QObject", "Program")},
    FileKind{&SessionFiles::bundle, QT_TRANSLATE_NOOP("QObject", "Bundled program")},
    FileKind{&SessionFiles::tensorData, QT_TRANSLATE_NOOP("QObject", "Tensor data")},
    FileKind{&SessionFiles::record, QT_TRANSLATE_NOOP("QObject", "ETRecord")},
    FileKind{&SessionFiles::trace, QT_TRANSLATE_NOOP("QObject", "Trace")},
    FileKind{&SessionFiles::debugBuffer, QT_TRANSLATE_NOOP("QObject", "Debug buffer")},
};

QString sizeText(std::uint64_t bytes) {
    return QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1);
}

QString percent(double part) {
    return QStringLiteral("%1 %").arg(100 * part, 0, 'f', 1);
}

Lines openedFiles(const SessionFiles& files) {
    Lines lines;
    for (const FileKind& kind : fileKinds) {
        const std::filesystem::path& path = files.*kind.path;
        if (!path.empty()) {
            std::error_code unknown;
            const auto bytes = std::filesystem::file_size(path, unknown);
            const QString size = unknown ? QString() : QStringLiteral("   %1").arg(sizeText(bytes));
            lines.push_back({QObject::tr(kind.name), toQString(path.string()) + size});
        }
    }
    return lines;
}

/// What would show more.
Lines missing(const Session& session) {
    Lines lines;
    if (!session.trace) {
        lines.push_back({QObject::tr("A trace (.etdp)"), QObject::tr("shows where the time of a run goes")});
    }
    if (!session.record) {
        lines.push_back({QObject::tr("An ETRecord"),
                         QObject::tr("gives events their operators, modules and lines of Python")});
    }
    if (!session.bundle) {
        lines.push_back({QObject::tr("A bundled program (.bpte)"),
                         QObject::tr("brings cases that show whether the numbers are right")});
    }
    return lines;
}

/// The program joined with what else is open; nothing where there is no program.
std::optional<core::Result<inspector::DelegationReport>> delegation(const Session& session) {
    if (!session.program) {
        return std::nullopt;
    }
    return inspector::delegatesOf({.program = *session.program,
                                   .backends = backends::builtin(),
                                   .record = session.record.get(),
                                   .blocks = session.blocks.get()});
}

Lines contradictions(const Session& session, const inspector::DelegationReport* report) {
    Lines lines;
    const auto add = [&](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            lines.push_back({{}, toQString(text), Mood::Bad});
        }
    };
    add(session.problems);
    if (session.blocks) {
        add(session.blocks->warnings());
    }
    if (report != nullptr) {
        add(report->warnings);
    }
    const auto opened = openedFiles(session.files).size();
    if (lines.empty()) {
        lines.push_back(
            opened > 1 ? OverviewLine{{}, QObject::tr("Nothing contradicts anything."), Mood::Good}
                       : OverviewLine{{}, QObject::tr("There is one file: nothing to compare it with.")});
    }
    return lines;
}

/// A step of the runtime that traces have by this name, in the block that ran it most often.
struct Step {
    std::string_view event;
    const char* label;  ///< untranslated
};
constexpr std::array steps{
    Step{"Program::load_method", QT_TRANSLATE_NOOP("QObject", "Load")},
    Step{"Method::execute", QT_TRANSLATE_NOOP("QObject", "Run")},
};

const Event* mostSampled(const inspector::EventBlocks& joined, std::string_view name) {
    const Event* most = nullptr;
    for (const Block& block : joined.blocks()) {
        for (const Event& event : block.events) {
            if (event.name == name && event.samples.size() > (most != nullptr ? most->samples.size() : 0)) {
                most = &event;
            }
        }
    }
    return most;
}

Lines timeFigures(const inspector::EventBlocks& joined) {
    Lines lines;
    const QString unit = toQString(facts(joined.options().target).name);
    const auto time = [&](double value) {
        return QStringLiteral("%1 %2").arg(QString::number(value, 'g', 4), unit);
    };
    for (const Step& step : steps) {
        const Event* const event = mostSampled(joined, step.event);
        if (event == nullptr) {
            continue;
        }
        const inspector::Statistics& all = event->statistics;
        const QString text = event->samples.size() == 1
                                 ? time(all.p50)
                                 : QObject::tr("p50 %1, p90 %2, first %3, %4 runs")
                                       .arg(time(all.p50), time(all.p90), time(event->samples.front()))
                                       .arg(event->samples.size());
        lines.push_back({QObject::tr(step.label), text});
    }
    return lines;
}

void addMethod(Lines& lines, const inspector::MethodDelegates& joined) {
    const program::Method& method = *joined.method;
    std::size_t calls = 0;
    for (const inspector::DelegateReport& each : joined.delegates) {
        calls += each.calls.size();
    }
    std::size_t instructions = 0;
    for (const program::Chain& chain : method.chains) {
        instructions += chain.instructions.size();
    }
    lines.push_back({QObject::tr("Method %1").arg(toQString(method.name)),
                     QObject::tr("%1 instructions, %2 of them run delegates; %3 of planned memory")
                         .arg(instructions)
                         .arg(calls)
                         .arg(sizeText(method.plannedBytes()))});
    if (joined.times && joined.times->total > 0) {
        lines.push_back({QObject::tr("Time of %1").arg(toQString(method.name)),
                         QObject::tr("%1 in delegates, %2 in other operators, %3 between them")
                             .arg(percent(joined.times->delegated / joined.times->total),
                                  percent(joined.times->undelegated / joined.times->total),
                                  percent(joined.times->other() / joined.times->total))});
    }
}

Lines keyFigures(const Session& session, const inspector::DelegationReport* report) {
    Lines lines = session.blocks ? timeFigures(*session.blocks) : Lines();
    if (report != nullptr) {
        for (const inspector::MethodDelegates& method : report->methods) {
            addMethod(lines, method);
        }
    }
    if (session.bundle) {
        for (const bundled_program::TestSuite& suite : session.bundle->suites) {
            lines.push_back({QObject::tr("Tests of %1").arg(toQString(suite.method)),
                             counted(suite.cases.size(), QObject::tr("1 case"), QObject::tr("%1 cases"))});
        }
    }
    return lines;
}

/// The operators that use most of their block's time themselves.
Lines mostExpensive(const inspector::EventBlocks& joined) {
    const inspector::report::EventRows events = inspector::report::eventRows(joined);
    std::vector<std::pair<double, const inspector::report::EventRow*>> shares;
    for (const inspector::report::EventRow& row : events.rows) {
        const auto share = events.share(row, row.self);
        if (share && *share > 0 && !row.hasParts && row.event->chain >= 0) {
            shares.emplace_back(*share, &row);
        }
    }
    const auto count = static_cast<std::ptrdiff_t>(std::min(mostFindings, shares.size()));
    std::ranges::partial_sort(shares, shares.begin() + count, std::ranges::greater{},
                              [](const auto& each) { return each.first; });
    Lines lines;
    for (auto each = shares.begin(); each != shares.begin() + count; ++each) {
        const Event& event = *each->second->event;
        QStringList types;
        for (const std::string_view type : inspector::opTypes(*each->second->block, event)) {
            types.append(toQString(type));
        }
        types.removeDuplicates();
        const QString text = toQString(event.name);
        lines.push_back({percent(each->first),
                         types.isEmpty()
                             ? text
                             : QStringLiteral("%1   (%2)").arg(text, types.join(QStringLiteral(", ")))});
    }
    return lines;
}

QString moodMark(Mood mood) {
    switch (mood) {
        case Mood::Good:
            return QStringLiteral("<font color=\"#2e9d4c\">✓</font> ");
        case Mood::Bad:
            return QStringLiteral("<font color=\"#d98a10\">▲</font> ");
        case Mood::Plain:
            break;
    }
    return {};
}

}  // namespace

std::vector<OverviewSection> overviewOf(const Session& session) {
    const auto joined = delegation(session);
    const inspector::DelegationReport* const report = joined && *joined ? &**joined : nullptr;
    std::vector<OverviewSection> sections{
        {QObject::tr("Opened"), openedFiles(session.files)},
        {QObject::tr("Does it belong together?"), contradictions(session, report)},
        {QObject::tr("Key figures"), keyFigures(session, report)}};
    if (joined && !*joined) {
        sections[1].lines.push_back({{}, toQString(joined->error().toString()), Mood::Bad});
    }
    if (session.blocks) {
        sections.push_back({QObject::tr("What takes most of a run"), mostExpensive(*session.blocks)});
    }
    sections.push_back({QObject::tr("What else can be opened beside it"), missing(session)});
    std::erase_if(sections, [](const OverviewSection& section) { return section.lines.empty(); });
    return sections;
}

QString toHtml(const std::vector<OverviewSection>& sections) {
    QString html;
    for (const OverviewSection& section : sections) {
        html += QStringLiteral("<h3>%1</h3><table cellspacing=\"4\">").arg(section.title.toHtmlEscaped());
        for (const OverviewLine& line : section.lines) {
            const QString text = moodMark(line.mood) + line.text.toHtmlEscaped();
            html += line.label.isEmpty()
                        ? QStringLiteral("<tr><td colspan=\"2\">%1</td></tr>").arg(text)
                        : QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                              .arg(line.label.toHtmlEscaped(), text);
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

}  // namespace et::visualizers
