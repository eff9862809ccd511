#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "inspector/catalog/tensor_catalog.h"

#include <cstddef>
#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace et::visualizers {
class ReportTable;
class Splitter;
}  // namespace et::visualizers

namespace et::studio {

class TensorPane;

/// The tensors of everything that is open, of all origins alike: a list, and what the chosen one looks like.
/// It follows the selection: the tensors of an operator that is selected elsewhere are listed alone.
class TensorsRoom : public Room {
    Q_OBJECT

  public:
    TensorsRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    /// Writes the chosen tensor as it is shown. A line that says what went wrong; empty: nothing.
    [[nodiscard]] QString saveChosen(const std::filesystem::path& file) const;

    [[nodiscard]] visualizers::ReportTable& list() { return *rows; }
    [[nodiscard]] TensorPane& pane() { return *details; }
    [[nodiscard]] bool busy() const;
    /// The tensors that are listed, as positions in the catalog.
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
    /// The chosen rows, as positions in the catalog; the current one first.
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
    visualizers::Splitter* splitter;
};

}  // namespace et::studio
