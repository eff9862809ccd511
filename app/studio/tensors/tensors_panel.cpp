#include "app/studio/tensors/tensors_panel.h"

#include "app/output/tensors/tensor_table.h"
#include "app/studio/file_dialog.h"
#include "app/studio/tensors/tensor_pane.h"
#include "app/tasks/tensors/open_catalog.h"
#include "app/tasks/tensors/save_tensors.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QCheckBox>
#include <QFile>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace et::studio {

namespace {

using visualizers::NumberStyle;
using visualizers::ReportTableModel;
using visualizers::toQString;

constexpr int listMargin = 4;
const QString tensorFolderKey = QStringLiteral("tensors/folder");
const QList<int> tensorSizes{420, 780};  // widths of list and tensor in pixels

/// The table of the command line, with readable column titles.
visualizers::ReportRows listRows(const inspector::TensorCatalog& catalog,
                                 const std::vector<std::size_t>& which) {
    visualizers::ReportRows rows{.table = output::tensorTable(catalog, which, {})};
    for (inspector::format::Column& column : rows.table.columns) {
        column.header.front() =
            static_cast<char>(std::toupper(static_cast<unsigned char>(column.header.front())));
        rows.styles.push_back(column.id == "bytes" ? NumberStyle::Bytes : NumberStyle::Plain);
    }
    return rows;
}

}  // namespace

TensorsPanel::TensorsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      store(context.settings),
      reading(this),
      filter(new visualizers::FilterField("tensorsFilter",
                                          QStringLiteral("Filter by name, type, origin or place"), this)),
      onlySelected(new QCheckBox(QStringLiteral("Only tensors of the selected operator"), this)),
      head(visualizers::plainLabel("tensorsHead", this, {.margin = listMargin})),
      rows(new visualizers::ReportTable(this)),
      details(new TensorPane(this)) {
    auto* const splitter = new visualizers::Splitter(this);
    splitter->addParts({{createList(), 0}, {details, 1}});
    splitter->setChildrenCollapsible(false);
    splitter->setSizes(tensorSizes);
    visualizers::fillColumn(*this, {splitter});
    setFocusProxy(rows);
    createActions();
    connect(&opened, &visualizers::OpenSession::changed, this, &TensorsPanel::readSession);
    connect(&chosen, &visualizers::Selection::currentChanged, this, &TensorsPanel::showSelection);
    readSession();
}

QWidget* TensorsPanel::createList() {
    auto* const page = new QWidget(this);
    onlySelected->setObjectName(QStringLiteral("tensorsOfSelection"));
    onlySelected->setChecked(true);
    rows->setObjectName(QStringLiteral("tensors"));
    rows->setHint(QStringLiteral(
        "Open a program, a bundled program, a package, an ETRecord, or a trace with its debug buffer to see "
        "tensors."));
    rows->view().setSelectionMode(QAbstractItemView::ExtendedSelection);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(listMargin, listMargin, 0, 0);
    layout->setSpacing(listMargin);
    layout->addWidget(filter);
    layout->addWidget(onlySelected);
    layout->addWidget(head);
    layout->addWidget(rows, 1);
    connect(filter, &QLineEdit::textChanged, rows, &visualizers::ReportTable::setFilter);
    connect(onlySelected, &QCheckBox::toggled, this, &TensorsPanel::showSelection);
    connect(rows->view().selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &TensorsPanel::showChosen);
    return page;
}

void TensorsPanel::createActions() {
    visualizers::keyedAction(*this, QStringLiteral("&Save as .npy…"), Qt::CTRL | Qt::Key_E,
                             [this] { save(); });
    visualizers::keyedAction(*this, QStringLiteral("Select Its &Operator"), Qt::Key_G,
                             [this] { showOperator(); });
    const auto tab = [this](const QString& text, Qt::Key key, TensorPane::Tab which) {
        visualizers::keyedAction(*this, text, key, [this, which] { details->showTab(which); });
    };
    tab(QStringLiteral("Show &Values"), Qt::Key_V, TensorPane::Values);
    tab(QStringLiteral("Show &Distribution"), Qt::Key_D, TensorPane::Distribution);
    tab(QStringLiteral("Show &Channels"), Qt::Key_C, TensorPane::Channels);
}

bool TensorsPanel::hasContent() const {
    const auto& session = opened.session();
    return session != nullptr &&
           (session->program != nullptr || session->bundle != nullptr || session->package != nullptr ||
            session->record != nullptr || session->debugBuffer != nullptr);
}

bool TensorsPanel::busy() const {
    return reading.running() || details->loading();
}

void TensorsPanel::readSession() {
    reading.forget();
    tensors = nullptr;
    listTensors();
    if (const auto& session = opened.session()) {
        reading.start([session] { return tasks::catalogOf(session); },
                      [this](const std::shared_ptr<const inspector::TensorCatalog>& read) {
                          tensors = read;
                          listTensors();
                      });
    }
}

std::vector<std::size_t> TensorsPanel::ofSelection() const {
    const auto& which = chosen.currentOperator();
    if (tensors == nullptr || (!which && chosen.currentHandles().empty())) {
        return {};
    }
    return tensors->tensorsOf(which ? which->method : chosen.choice().method,
                              which ? which->instruction : core::InstructionId(-1), chosen.currentHandles());
}

void TensorsPanel::showSelection() {
    if (tensors != nullptr) {
        listTensors();
    }
}

void TensorsPanel::listTensors() {
    std::vector<std::size_t> listing = ofSelection();
    const bool some = onlySelected->isChecked() && !listing.empty();
    const std::size_t all = tensors == nullptr ? 0 : tensors->tensors().size();
    if (!some) {
        listing.resize(all);
        std::iota(listing.begin(), listing.end(), std::size_t{0});
    }
    if (listing == shown && rows->model().rows().table.rows.size() == listing.size() && !listing.empty()) {
        return;
    }
    shown = std::move(listing);
    rows->setRows(tensors == nullptr ? visualizers::ReportRows{} : listRows(*tensors, shown));
    QStringList lines{
        some ? QStringLiteral("%1 of %2 tensors, of the selected operator").arg(shown.size()).arg(all)
             : visualizers::counted(all, QStringLiteral("1 tensor"), QStringLiteral("%1 tensors"))};
    for (std::size_t i = 0; tensors != nullptr && i < tensors->problems().size(); ++i) {
        lines.append(toQString(tensors->problems()[i]));
    }
    head->setText(lines.join(u'\n'));
    rows->choose(some ? std::optional<std::size_t>(0) : std::nullopt);
    showChosen();
}

std::vector<std::size_t> TensorsPanel::chosenTensors() const {
    std::vector<std::size_t> which;
    if (tensors == nullptr) {
        return which;
    }
    for (const QModelIndex& row : rows->view().selectionModel()->selectedRows()) {
        which.push_back(shown[row.data(ReportTableModel::RowRole).toULongLong()]);
    }
    // Two tensors are compared in list order, independent of the order of clicks.
    std::ranges::sort(which);
    return which;
}

void TensorsPanel::showChosen() {
    details->setTensors(tensors, chosenTensors());
}

void TensorsPanel::showOperator() {
    const auto which = chosenTensors();
    if (which.empty()) {
        return;
    }
    const inspector::CatalogTensor& tensor = tensors->tensors()[which.front()];
    // Tensors inside a delegate are identified by debug handles, because the instruction covers the whole
    // delegate.
    const bool byInstruction =
        !tensor.instructions.empty() && tensor.origin != inspector::TensorOrigin::DelegateWeight;
    if (byInstruction) {
        chosen.setOperator({.method = tensor.method, .instruction = tensor.instructions.front()});
    } else if (!tensor.handles.empty()) {
        chosen.setHandles(tensor.method, tensor.handles);
    } else {
        emit noticed(QStringLiteral("No operator of the program is known to use this tensor."));
        return;
    }
    chosen.reveal();
}

void TensorsPanel::save() {
    const auto which = chosenTensors();
    if (which.empty()) {
        emit noticed(QStringLiteral("Select a tensor to save it."));
        return;
    }
    const QString name =
        toQString(tasks::makeFileName(tensors->tensors()[which.front()].name)) + QStringLiteral(".npy");
    chooseFileToSave(this, store,
                     {.title = QStringLiteral("Save Tensor"),
                      .filters = QStringLiteral("NumPy array (*.npy)"),
                      .folderKey = tensorFolderKey,
                      .name = name},
                     [this](const std::filesystem::path& file) {
                         const QString problem = saveChosen(file);
                         emit noticed(problem.isEmpty()
                                          ? QStringLiteral("Saved to %1").arg(QFile::decodeName(file.c_str()))
                                          : problem);
                     });
}

QString TensorsPanel::saveChosen(const std::filesystem::path& file) const {
    const auto which = chosenTensors();
    if (which.empty()) {
        return QStringLiteral("Select a tensor to save it.");
    }
    const auto saved = tasks::saveTensor(*tensors, which.front(), details->form(), file);
    return saved ? QString() : toQString(saved.error().toString());
}

}  // namespace et::studio
