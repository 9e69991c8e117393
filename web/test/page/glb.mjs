// Reads a .glb as a viewer does, and says whether it is one: chunks, views, accessors, skins and animations.
import assert from 'node:assert/strict';

const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const ARRAYS = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };

export function readGlb(file) {
  const bytes = new Uint8Array(file); // a copy that begins at an even place
  const view = new DataView(bytes.buffer);
  assert.equal(file.toString('latin1', 0, 4), 'glTF');
  assert.equal(view.getUint32(4, true), 2, 'version');
  assert.equal(view.getUint32(8, true), bytes.length, 'length');
  const size = view.getUint32(12, true);
  assert.equal(view.getUint32(16, true), 0x4e4f534a, 'first chunk is JSON');
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
  const start = 20 + size + 8;
  assert.equal(view.getUint32(24 + size, true), 0x004e4942, 'second chunk is BIN');
  assert.equal(json.buffers.length, 1);
  assert.ok(json.buffers[0].byteLength <= view.getUint32(20 + size, true));
  for (const one of json.bufferViews) assert.ok((one.byteOffset ?? 0) + one.byteLength <= json.buffers[0].byteLength, 'a view leaves its buffer');

  const numbers = (index) => {
    const { bufferView, byteOffset = 0, componentType, count, type } = json.accessors[index];
    const from = json.bufferViews[bufferView];
    const list = new ARRAYS[componentType](bytes.buffer, start + (from.byteOffset ?? 0) + byteOffset, count * WIDTH[type]);
    assert.ok(byteOffset + list.byteLength <= from.byteLength, 'an accessor leaves its view');
    return list;
  };
  return { json, numbers };
}

/** Everything in it refers to something that is there, and every number is finite. */
export function validate({ json, numbers }) {
  for (let i = 0; i < json.accessors.length; i++) assert.ok(numbers(i).every(Number.isFinite), `accessor ${i}`);
  const parents = new Set();
  for (const node of json.nodes) for (const child of node.children ?? []) {
    assert.ok(child < json.nodes.length && !parents.has(child), 'a node has one parent');
    parents.add(child);
  }
  for (const mesh of json.meshes) for (const { attributes, indices } of mesh.primitives) {
    const { count } = json.accessors[attributes.POSITION];
    for (const attribute of Object.values(attributes)) assert.equal(json.accessors[attribute].count, count);
    if (indices !== undefined) assert.ok(numbers(indices).every((index) => index < count), 'an index without a corner');
    if (attributes.WEIGHTS_0 === undefined) continue;
    const weights = numbers(attributes.WEIGHTS_0);
    for (let i = 0; i < weights.length; i += 4) assert.ok(Math.abs(weights[i] + weights[i + 1] + weights[i + 2] + weights[i + 3] - 1) < 1e-6);
  }
  for (const node of json.nodes) {
    if (node.skin === undefined) continue;
    const { joints, inverseBindMatrices } = json.skins[node.skin];
    assert.equal(json.accessors[inverseBindMatrices].count, joints.length);
    assert.ok(joints.every((joint) => joint < json.nodes.length));
    for (const { attributes } of json.meshes[node.mesh].primitives) assert.ok(numbers(attributes.JOINTS_0).every((joint) => joint < joints.length));
  }
  for (const { channels, samplers } of json.animations)
    for (const { sampler, target } of channels) {
      const { input, output } = samplers[sampler];
      const times = numbers(input);
      assert.ok(json.nodes[target.node], 'an animation of a node that is not there');
      assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]), 'times of an animation go on');
      assert.equal(json.accessors[output].count, times.length);
      if (target.path !== 'rotation') continue;
      const turns = numbers(output);
      for (let i = 0; i < turns.length; i += 4) assert.ok(Math.abs(Math.hypot(...turns.subarray(i, i + 4)) - 1) < 1e-5, 'a turn of length 1');
    }
}

/** The values of a node's animation: a list of numbers for each time. */
export function animated({ json, numbers }, node, path) {
  const { channels, samplers } = json.animations[0];
  const channel = channels.find(({ target }) => target.node === node && target.path === path);
  assert.ok(channel, `${json.nodes[node].name} has no animated ${path}`);
  const list = numbers(samplers[channel.sampler].output);
  const width = path === 'rotation' ? 4 : 3;
  return { times: numbers(samplers[channel.sampler].input), values: Array.from({ length: list.length / width }, (_, i) => [...list.subarray(width * i, width * i + width)]) };
}
