#include "app/studio/compare/compare_offers.h"

#include "app/studio/compare/trace_comparison.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"
#include "inspector/session/placement.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/text.h"

#include <QLabel>
#include <QStringList>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxOffered = 3;  // with more, the buttons of a small window would need scrolling
constexpr std::size_t maxListed = 200;
constexpr std::size_t maxLooked = 2'000;  // entries of a folder
constexpr std::array<std::string_view, 4> comparable{".etdp", ".etdump", ".pte", ".bpte"};

struct Dated {
    fs::path file;
    fs::file_time_type time;
};

/// Traces and programs in the folders of the `open` files.
std::vector<Dated> filesAround(const std::vector<fs::path>& open) {
    std::vector<Dated> files;
    std::vector<fs::path> folders;
    std::error_code unknown;
    for (const fs::path& each : open) {
        const fs::path folder = fs::absolute(each, unknown).lexically_normal().parent_path();
        if (!folder.empty() && !std::ranges::contains(folders, folder)) {
            folders.push_back(folder);
        }
    }
    std::size_t looked = 0;
    for (const fs::path& folder : folders) {
        for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end && looked < maxLooked;
             at.increment(unknown), ++looked) {
            std::error_code lost;
            const std::string kind = at->path().extension().string();
            const auto time = at->last_write_time(lost);
            if (!lost && std::ranges::contains(comparable, std::string_view(kind)) &&
                at->is_regular_file(lost)) {
                files.push_back({.file = at->path(), .time = time});
            }
        }
        unknown.clear();
    }
    return files;
}

bool isOpen(const fs::path& file, const std::vector<fs::path>& open) {
    return std::ranges::any_of(open, [&](const fs::path& each) {
        std::error_code unknown;
        return fs::equivalent(each, file, unknown);
    });
}

QString links(const QStringList& names, const QString& scheme) {
    QStringList lines;
    for (qsizetype i = 0; i < names.size(); ++i) {
        lines.append(
            QStringLiteral("<a href=\"%1:%2\">%3</a>").arg(scheme).arg(i).arg(names[i].toHtmlEscaped()));
    }
    return lines.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(lines.join(QStringLiteral("<br>")));
}

/// Time of a trace's runs by operator.
visualizers::ReportRows operatorsOf(const inspector::EventBlocks& blocks) {
    const inspector::events::EventRows events = inspector::events::eventRows(blocks);
    std::vector<std::pair<double, const inspector::events::EventRow*>> shares;
    for (const inspector::events::EventRow& row : events.rows) {
        const auto share = events.selfShare(row);
        if (share && *share > 0 && !row.hasParts && row.event->chain >= 0) {
            shares.emplace_back(*share, &row);
        }
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, [](const auto& each) { return each.first; });
    shares.resize(std::min(shares.size(), maxListed));
    visualizers::ReportRows made;
    made.table.indexed = false;
    made.table.columns = {{.id = "operator", .header = QStringLiteral("Operator of A").toStdString()},
                          {.id = "p50", .header = QStringLiteral("A p50").toStdString()},
                          {.id = "share", .header = QStringLiteral("Share").toStdString(), .numeric = true},
                          {.id = "runs", .header = QStringLiteral("Runs").toStdString(), .numeric = true}};
    made.styles = {visualizers::NumberStyle::Plain, visualizers::NumberStyle::Plain,
                   visualizers::NumberStyle::Percent, visualizers::NumberStyle::Plain};
    for (const auto& [share, row] : shares) {
        made.table.rows.push_back(
            {inspector::events::readableName(*row->block, *row->event),
             visualizers::timeText(row->event->statistics.p50, blocks.options().target).toStdString(),
             share * 100, static_cast<std::uint64_t>(row->event->samples.size())});
        made.table.heat.push_back(share);
    }
    return made;
}

QString paragraph(const QString& text) {
    return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

}  // namespace

CompareOffers::CompareOffers(QWidget* parent)
    : CardPage(parent),
      looking(this),
      operators(new visualizers::ReportTable(this)),
      filesCard(addCard(QStringLiteral("A second trace or program"),
                        QStringLiteral("Open Second Trace or Program…"))),
      baselinesCard(addCard(QStringLiteral("A baseline"), QStringLiteral("Choose a Baseline…"))),
      runCard(addCard(QStringLiteral("Another run"), QStringLiteral("Go to Run"))) {
    headline().setObjectName(QStringLiteral("compareHint"));
    operators->setObjectName(QStringLiteral("compareWaiting"));
    operators->view().setAccessibleName(QStringLiteral("Operators of A"));
    setBelow(operators);
    connect(this, &CardPage::acted, this, [this](std::size_t card) {
        if (card == filesCard) {
            emit openWanted();
        } else if (card == baselinesCard) {
            emit baselineWanted();
        } else {
            emit runWanted();
        }
    });
    connect(this, &CardPage::linkActivated, this, &CompareOffers::follow);
    show({});
}

void CompareOffers::setSession(const std::shared_ptr<const inspector::Session>& session,
                               const fs::path& baselines) {
    looking.forget();
    openFiles = session == nullptr ? std::vector<fs::path>() : pathsOf(session->files);
    const bool traced = session != nullptr && session->blocks != nullptr;
    const bool runs = session != nullptr && session->program != nullptr;
    setButtonEnabled(baselinesCard, traced);
    setButtonEnabled(runCard, runs);
    setText(
        runCard,
        paragraph(
            runs ? QStringLiteral(
                       "Run the program again, after a change or with other threads or inputs. The trace "
                       "opens as B.")
                 : QStringLiteral(
                       "Open the program (.pte, .bpte) too, to run it again here: the trace opens as B.")));
    show({});
    if (session != nullptr) {
        looking.start([open = openFiles, baselines,
                       blocks = session->blocks] { return look(open, baselines, blocks.get()); },
                      [this](const Found& now) { show(now); });
    }
}

CompareOffers::Found CompareOffers::look(const std::vector<fs::path>& open, const fs::path& baselines,
                                         const inspector::EventBlocks* blocks) {
    Found now;
    if (blocks != nullptr) {
        now.operators = operatorsOf(*blocks);
    }
    auto files = filesAround(open);
    std::ranges::sort(files, std::ranges::greater{}, &Dated::time);
    for (const Dated& each : files) {
        if (now.files.size() < maxOffered && !isOpen(each.file, open)) {
            now.files.push_back(each.file);
        }
    }
    if (auto names = baselineNames(baselines)) {
        names->resize(std::min(names->size(), maxOffered));
        now.baselines = *std::move(names);
    }
    return now;
}

void CompareOffers::show(const Found& now) {
    found = now;
    operators->setRows(found.operators);
    operators->fitColumns();
    showBelow(!found.operators.table.rows.empty());
    QStringList files;
    for (const fs::path& each : found.files) {
        files.append(visualizers::toQString((each.parent_path().filename() / each.filename()).string()));
    }
    QStringList names;
    for (const std::string& each : found.baselines) {
        names.append(visualizers::toQString(each));
    }
    setText(
        filesCard,
        paragraph(files.isEmpty()
                      ? QStringLiteral("Drop it here, or open it (Ctrl+Shift+O).")
                      : QStringLiteral(
                            "Drop it here, open it (Ctrl+Shift+O), or choose one from the same folder:")) +
            links(files, QStringLiteral("file")));
    setText(baselinesCard,
            paragraph(names.isEmpty() ? QStringLiteral("A saved measurement (Ctrl+Shift+B). et-inspect "
                                                       "baseline save NAME trace.etdp saves one.")
                                      : QStringLiteral("A saved measurement (Ctrl+Shift+B):")) +
                links(names, QStringLiteral("baseline")));
}

/// "file:0", "baseline:2".
void CompareOffers::follow(const QString& link) {
    const std::size_t number = link.section(u':', 1).toULongLong();
    if (link.startsWith(QStringLiteral("file:")) && number < found.files.size()) {
        emit filesChosen({found.files[number]});
    } else if (link.startsWith(QStringLiteral("baseline:")) && number < found.baselines.size()) {
        emit baselineChosen(visualizers::toQString(found.baselines[number]));
    }
}

}  // namespace et::studio
