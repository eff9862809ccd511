#include "visualizers/overview/overview.h"

#include "backends/builtin.h"
#include "inspector/findings/summary.h"
#include "inspector/fit/compatibility.h"
#include "visualizers/overview/finding_card.h"
#include "visualizers/toolkit/prose.h"
#include "visualizers/toolkit/text.h"

#include <QLocale>
#include <QObject>
#include <QStringList>

#include <algorithm>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::FileBelonging;
using inspector::Finding;
using inspector::Session;
using inspector::Summary;
using Lines = std::vector<OverviewLine>;
using Severity = OverviewLine::Severity;

constexpr std::size_t maxFindings = 5;

QString percent(double part) {
    return QStringLiteral("%1 %").arg(100 * part, 0, 'f', 1);
}

/// Capitalizes a name: "trace" at the start of a line; "ETRecord" is unchanged.
QString capital(std::string_view name) {
    QString text = toQString(name);
    return text.isEmpty() ? text : text.first(1).toUpper() + text.sliced(1);
}

QString sizeOf(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(path, unknown);
    return unknown ? QString() : QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1);
}

/// "matches the program and the trace"; empty without kinds.
QString belongingText(const QString& verb, std::span<const std::string_view> kinds) {
    QStringList names;
    for (const std::string_view kind : kinds) {
        names.append(toQString(kind));
    }
    names.removeDuplicates();
    return names.isEmpty() ? QString() : verb + names.join(QStringLiteral(" and the "));
}

/// Shows the folder, which distinguishes files of different models; full paths would need three lines.
Lines openedFiles(const std::vector<FileBelonging>& files) {
    Lines lines;
    for (const FileBelonging& file : files) {
        QStringList details{sizeOf(file.path), belongingText(QStringLiteral("matches the "), file.agreesWith),
                            belongingText(QStringLiteral("does not match the "), file.disagreesWith)};
        details.removeAll(QString());
        const Severity severity = !file.contradictions.empty() ? Severity::Bad
                                  : file.agreesWith.empty()    ? Severity::Plain
                                                               : Severity::Good;
        lines.push_back({capital(file.kind),
                         toQString((file.path.parent_path().filename() / file.path.filename()).string()),
                         severity,
                         details.join(QStringLiteral("  ·  ")),
                         {}});
    }
    return lines;
}

const QString openLink = QStringLiteral("open:files");

/// Files that would provide more data.
Lines missing(const Session& session) {
    Lines lines;
    if (!session.trace) {
        lines.push_back({.label = QStringLiteral("A trace (.etdp)"),
                         .text = QStringLiteral("shows where the time goes"),
                         .link = openLink});
        if (session.program) {
            lines.push_back({.label = QStringLiteral("Or run it here"),
                             .text = QStringLiteral("records a trace, including memory usage"),
                             .link = QStringLiteral("panel:run")});
        }
    }
    if (!session.record) {
        lines.push_back({.label = QStringLiteral("An ETRecord"),
                         .text = QStringLiteral("maps events to operators, modules and Python source"),
                         .link = openLink});
    }
    if (!session.program) {
        lines.push_back(
            {.label = QStringLiteral("A program (.pte)"),
             .text = inspector::missingProgramHint(session).empty()
                         ? QStringLiteral("shows memory plans and delegates, and can be run")
                         : QStringLiteral("names the operators inside delegates, with their modules "
                                          "and Python lines; shows memory plans, and can be run"),
             .link = openLink});
    }
    if (!session.bundle) {
        lines.push_back({.label = QStringLiteral("A bundled program (.bpte)"),
                         .text = QStringLiteral("contains test cases to check the outputs"),
                         .link = openLink});
    }
    return lines;
}

/// Names the files that do not match, and lists the warnings that are not among the shown findings.
Lines contradictions(const Summary& summary, std::span<const inspector::Finding> findings) {
    Lines lines;
    for (const FileBelonging& file : summary.files) {
        const QString text = belongingText(QStringLiteral(" does not match the "), file.disagreesWith);
        if (!text.isEmpty()) {
            lines.push_back({{}, capital(file.kind) + text, Severity::Bad});
        }
    }
    for (auto text = summary.warnings.begin(); text != summary.warnings.end(); ++text) {
        const bool isFinding = std::ranges::contains(findings, *text, &inspector::Finding::title);
        if (!isFinding && std::find(summary.warnings.begin(), text, *text) == text) {
            lines.push_back({{}, toQString(*text), Severity::Bad});
        }
    }
    if (lines.empty()) {
        lines.push_back(summary.files.size() > 1
                            ? OverviewLine{{}, QStringLiteral("No mismatches found."), Severity::Good}
                            : OverviewLine{{}, QStringLiteral("Only one file is open: nothing to compare.")});
    }
    return lines;
}

Lines keyFigures(const Session& session, const Summary& summary) {
    Lines lines;
    for (const inspector::KeyFigure& figure : summary.figures) {
        lines.push_back({toQString(figure.label), toQString(figure.text)});
    }
    if (session.program || session.package) {
        const auto found = session.package
                               ? inspector::packageCompatibility()
                               : inspector::checkCompatibility(*session.program, backends::describable());
        lines.push_back({QStringLiteral("Runs in ExecuTorch"), toQString(inspector::runningReleases(found))});
    }
    return lines;
}

Lines findingLines(const std::vector<Finding>& findings, std::size_t left) {
    Lines lines;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        const QString weight = finding.unit == inspector::FindingUnit::None
                                   ? QString(QChar(u'–'))
                                   : toQString(inspector::weightText(finding));
        lines.push_back(
            {.label = weight,
             .text = prosePlain(toQString(finding.title)),
             .severity = Severity::Plain,
             .detail =
                 QStringLiteral("%1 (rule %2)").arg(toQString(finding.explanation), toQString(finding.rule)),
             .link = hasPlace(finding) ? QStringLiteral("finding:%1").arg(i) : QString()});
    }
    if (left > 0) {
        lines.push_back({.label = {},
                         .text = QStringLiteral("and %1 more").arg(left),
                         .severity = Severity::Plain,
                         .detail = {},
                         .link = QStringLiteral("findings:all")});
    }
    if (lines.empty()) {
        lines.push_back({{}, QStringLiteral("No findings."), Severity::Good});
    }
    return lines;
}

/// The operators with the most time, with their source lines.
Lines slowestOperators(const std::vector<inspector::events::SlowOperator>& slowest) {
    Lines lines;
    for (const inspector::events::SlowOperator& each : slowest) {
        lines.push_back({.label = percent(each.share),
                         .text = toQString(each.name),
                         .severity = Severity::Plain,
                         .detail = toQString(each.source),
                         .link = operatorLink(each)});
    }
    return lines;
}

/// One line per tile, for the clipboard.
Lines answerLines(const std::vector<inspector::Answer>& tiles) {
    Lines lines;
    for (const inspector::Answer& each : tiles) {
        lines.push_back({.label = toQString(each.question),
                         .text = toQString(each.value),
                         .severity = each.mood == inspector::Answer::Mood::Good  ? Severity::Good
                                     : each.mood == inspector::Answer::Mood::Bad ? Severity::Bad
                                                                                 : Severity::Plain,
                         .detail = prosePlain(toQString(each.detail))});
    }
    return lines;
}

}  // namespace

QString operatorLink(const inspector::events::SlowOperator& of) {
    return QStringLiteral("event:%1:%2").arg(of.block).arg(of.event);
}

Overview makeOverview(const Session& session, std::span<const bundled_program::CaseReport> verdicts,
                      FindingCount count) {
    Summary summary = inspector::summarize(session);
    const std::size_t shown =
        count == FindingCount::All ? summary.findings.size() : std::min(maxFindings, summary.findings.size());
    const std::size_t left = summary.findings.size() - shown;
    Overview overview;
    overview.answers = inspector::answers(session, summary, verdicts);
    overview.findings = std::move(summary.findings);
    overview.findings.resize(shown);
    overview.findingsLeft = left;
    overview.dashboard = std::move(summary.dashboard);
    overview.sections = {
        {QStringLiteral("Answers"), answerLines(overview.answers.tiles), OverviewSection::Place::Drawn},
        {QStringLiteral("Most time"), slowestOperators(overview.answers.slowest),
         OverviewSection::Place::Drawn},
        {QStringLiteral("Opened"), openedFiles(summary.files)},
        {QStringLiteral("Do the files match?"), contradictions(summary, overview.findings)},
        {QStringLiteral("Key figures"), keyFigures(session, summary), OverviewSection::Place::Left},
        {QStringLiteral("Top findings"), findingLines(overview.findings, left),
         OverviewSection::Place::Drawn},
        {QStringLiteral("Files you can add"), missing(session)}};
    std::erase_if(overview.sections, [](const OverviewSection& section) { return section.lines.empty(); });
    return overview;
}

}  // namespace et::visualizers
