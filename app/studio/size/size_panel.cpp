#include "app/studio/size/size_panel.h"

#include "app/tasks/size/measured_size.h"
#include "inspector/format/quantities.h"
#include "visualizers/open_session.h"
#include "visualizers/size/duplicate_rows.h"
#include "visualizers/size/size_map_widget.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>
#include <QToolBar>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace et::studio {

using inspector::SizeBy;
using visualizers::SizeScene;
using visualizers::toQString;

namespace {

struct SizeGrouping {
    SizeBy by;
    const char* title;
};
constexpr SizeGrouping sizeGroupings[] = {
    {SizeBy::Module, "By module"},   {SizeBy::Dtype, "By dtype"}, {SizeBy::Scheme, "By quantization scheme"},
    {SizeBy::Backend, "By backend"}, {SizeBy::Kind, "By kind"},   {SizeBy::Tensor, "By tensor"},
};

QLabel* plainLine(const QString& name, QWidget* parent) {
    auto* const label = new QLabel(parent);
    label->setObjectName(name);
    label->setMargin(4);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

}  // namespace

SizePanel::SizePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      promptForFiles(context.promptForFiles),
      looking(this),
      comparing(this),
      by(visualizers::choiceBox("sizeBy", QStringLiteral("Grouping of bytes"), this)),
      search(new visualizers::FilterField("sizeSearch", QStringLiteral("Highlight by name"), this)),
      path(plainLine(QStringLiteral("sizePath"), this)),
      chosen(plainLine(QStringLiteral("sizeChosen"), this)),
      legend(plainLine(QStringLiteral("sizeLegend"), this)),
      missing(plainLine(QStringLiteral("sizeMissing"), this)),
      hint(visualizers::hintLabel("sizeHint", this)),
      map(new visualizers::SizeMapWidget(context.selection, this)),
      table(new visualizers::ReportTable(this)),
      pages(new QStackedLayout(this)) {
    auto* const split = new visualizers::Splitter(Qt::Vertical, this);
    split->addParts({{makeMap(), 4}, {table, 1}});
    split->setCollapsible(0, false);
    pages->addWidget(hint);
    pages->addWidget(split);
    table->view().setAccessibleName(QStringLiteral("Duplicates"));
    table->setHint(QStringLiteral("No duplicates."));
    addActions(map->actions());
    setFocusProxy(map);
    connect(map, &visualizers::SizeMapWidget::nodeChosen, this, &SizePanel::showPath);
    connect(map, &visualizers::SizeMapWidget::rootChanged, this, &SizePanel::showPath);
    connect(table, &visualizers::ReportTable::rowChosen, this, [this](std::size_t row) {
        const auto piece = row < rowPieces.size() ? rowPieces[row] : std::nullopt;
        if (const auto node = piece ? map->nodeOf(*piece) : std::nullopt) {
            map->fitAll();
            map->choose(node);
        }
    });
    connect(&opened, &visualizers::OpenSession::changed, this, &SizePanel::showSession);
    showSession();
}

QWidget* SizePanel::makeTools() {
    auto* const tools = new QToolBar(this);
    for (const SizeGrouping& each : sizeGroupings) {
        by->addItem(QString::fromUtf8(each.title), static_cast<int>(each.by));
    }
    tools->addWidget(by);
    tools->addWidget(search);
    connect(by, &QComboBox::currentIndexChanged, this,
            [this] { map->setBy(static_cast<SizeBy>(by->currentData().toInt())); });
    connect(search, &QLineEdit::textChanged, map, &visualizers::SizeMapWidget::setSearch);
    return tools;
}

QWidget* SizePanel::makeMap() {
    auto* const part = new QWidget(this);
    visualizers::fillColumn(*part, {makeTools(), missing, path, map, chosen, legend}, map);
    path->setTextFormat(Qt::RichText);
    path->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(path, &QLabel::linkActivated, this,
            [this](const QString& node) { map->enter(node.toULongLong()); });
    missing->setTextFormat(Qt::RichText);
    missing->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(missing, &QLabel::linkActivated, this, [this] { promptForFiles(); });
    chosen->setTextFormat(Qt::PlainText);
    chosen->setTextInteractionFlags(Qt::TextSelectableByMouse);
    legend->setTextFormat(Qt::RichText);
    return part;
}

bool SizePanel::hasContent() const {
    return opened.session() && (opened.session()->program || opened.session()->package);
}

QByteArray SizePanel::saveState() const {
    return visualizers::packed(qint32(by->currentIndex()));
}

void SizePanel::restoreState(const QByteArray& state) {
    const auto read = visualizers::unpacked<qint32>(state);
    if (read && std::get<0>(*read) >= 0 && std::get<0>(*read) < by->count()) {
        by->setCurrentIndex(std::get<0>(*read));
    }
}

void SizePanel::showSession() {
    looking.forget();
    showLooked(
        {.scene = nullptr,
         .problem = QStringLiteral("Open a program (.pte, .bpte) or package (.ptn) to see the sizes of its "
                                   "parts.\nAn ETRecord adds modules.")});
    if (!hasContent()) {
        return;
    }
    looking.start(
        [session = opened.session()] {
            auto size = tasks::sessionSize(*session);
            return size ? ReadResult{.scene = std::make_shared<const SizeScene>(session, std::move(size->map),
                                                                                std::move(size->data)),
                                     .problem = {}}
                        : ReadResult{.scene = nullptr, .problem = toQString(size.error().toString())};
        },
        [this](const ReadResult& looked) { showLooked(looked); });
}

void SizePanel::showLooked(const ReadResult& looked) {
    scene = looked.scene;
    hint->setText(looked.problem);
    pages->setCurrentIndex(scene ? 1 : 0);
    map->setScene(scene);
    showLegend();
    showMissing();
    showPath();
    comparing.forget();
    showDuplicates({});
    if (scene) {
        findDuplicates();
    }
}

// Reads every byte, so the picture is shown first.
void SizePanel::findDuplicates() {
    table->setHint(QStringLiteral("Looking for duplicates…"));
    comparing.start([of = scene] { return inspector::repeatedContent(of->map()).duplicates; },
                    [this](const Groups& groups) {
                        table->setHint(QStringLiteral("No duplicates."));
                        showDuplicates(groups);
                    });
}

void SizePanel::showDuplicates(const Groups& groups) {
    visualizers::DuplicateRows rows =
        scene ? visualizers::duplicateRows(*scene, groups) : visualizers::DuplicateRows{};
    rowPieces = std::move(rows.pieces);
    table->setRows(std::move(rows.rows));
}

void SizePanel::showPath() {
    const auto& nodes = map->nodes();
    if (nodes.empty()) {
        path->clear();
        chosen->clear();
        return;
    }
    QString text;
    const std::size_t root = map->shownRoot();
    for (std::size_t node = root;; node = nodes[node].parent) {
        const QString name =
            (node == 0 ? QStringLiteral("All") : toQString(nodes[node].name)).toHtmlEscaped();
        const QString part = node == root
                                 ? QStringLiteral("<b>%1</b>").arg(name)
                                 : QStringLiteral("<a href=\"%1\">%2</a>").arg(QString::number(node), name);
        text = text.isEmpty() ? part : part + QStringLiteral(" › ") + text;
        if (node == 0) {
            break;
        }
    }
    text += QStringLiteral("  ") + toQString(inspector::format::readableBytes(nodes[root].bytes));
    path->setText(text);
    chosen->setText(
        map->chosenNode()
            ? map->spokenValue()
            : QStringLiteral("Click an area to select the operators that read it · click a name to zoom "
                             "into it · Space shows all"));
}

void SizePanel::showLegend() {
    QString text;
    for (const inspector::SizeKindInfo& kind : inspector::sizeKinds) {
        const bool isThere =
            scene && std::ranges::contains(scene->map().pieces, kind.kind, &inspector::SizePiece::kind);
        if (isThere) {
            text += QStringLiteral("<span style=\"color:%1\">■</span> %2 &nbsp; ")
                        .arg(visualizers::sizeColour(kind.kind, palette()).name(), toQString(kind.name));
        }
    }
    legend->setText(text);
}

void SizePanel::showMissing() {
    const std::string names = scene ? inspector::missingText(scene->map()) : std::string();
    missing->setVisible(!names.empty());
    missing->setText(
        names.empty()
            ? QString()
            : QStringLiteral("Not included: %1 · <a href=\"open\">Open its weights file (.ptd)…</a>")
                  .arg(toQString(names).toHtmlEscaped()));
}

}  // namespace et::studio
