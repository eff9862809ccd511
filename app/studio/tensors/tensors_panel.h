#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "inspector/tensors/tensor_catalog.h"

#include <cstddef>
#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace et::visualizers {
class ReportTable;
}  // namespace et::visualizers

namespace et::studio {

class TensorPane;

/// Panel of all tensors of the session, from all sources: a list and a view of the selected one. Follows the
/// selection: if an operator is selected in another panel, only its tensors are listed.
class TensorsPanel : public Panel {
    Q_OBJECT

  public:
    TensorsPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;

    /// Writes the selected tensor as it is displayed. Returns a one-line error, or an empty text.
    [[nodiscard]] QString saveChosen(const std::filesystem::path& file) const;

    [[nodiscard]] visualizers::ReportTable& list() { return *rows; }
    [[nodiscard]] TensorPane& pane() { return *details; }
    [[nodiscard]] bool busy() const;
    /// The listed tensors, as indices into the catalog.
    [[nodiscard]] const std::vector<std::size_t>& listed() const { return shown; }
    [[nodiscard]] const inspector::TensorCatalog* catalog() const { return tensors.get(); }

  private:
    QWidget* createList();
    void createActions();
    void readSession();
    void showSelection();
    void listTensors();
    void showChosen();
    void showOperator();
    void save();
    [[nodiscard]] std::vector<std::size_t> ofSelection() const;
    /// The selected rows, as indices into the catalog; the current one first.
    [[nodiscard]] std::vector<std::size_t> chosenTensors() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    QSettings& store;
    Background<std::shared_ptr<const inspector::TensorCatalog>> reading;
    std::shared_ptr<const inspector::TensorCatalog> tensors;
    std::vector<std::size_t> shown;
    QLineEdit* filter;
    QCheckBox* onlySelected;
    QLabel* head;
    visualizers::ReportTable* rows;
    TensorPane* details;
};

}  // namespace et::studio
