"""Puts the features of Whisper before an end-of-turn model that takes them, so that it takes audio.

pip install onnx numpy
python whisper-features.py MODEL.onnx TURN_MODEL.onnx
"""
import sys

import numpy as np
import onnx
from onnx import numpy_helper, parser

SAMPLES, RATE, FFT, MELS = 128_000, 16_000, 400, 80
wrapped = onnx.load(sys.argv[1])

# The spectrum, as two convolutions with a window of 25 ms.
times, bins = np.arange(FFT), np.arange(FFT // 2 + 1)
window = 0.5 - 0.5 * np.cos(2 * np.pi * times / FFT)
waves = np.exp(-2j * np.pi * np.outer(bins, times) / FFT) * window

# Triangles between frequencies of equal distance on Slaney's mel scale.
to_hertz = lambda mel: np.where(mel < 15, mel * 200 / 3, 1000 * np.exp(np.log(6.4) / 27 * (mel - 15)))
edges = to_hertz(np.linspace(0, 15 + 27 / np.log(6.4) * np.log(8), MELS + 2))
slopes = edges[:, None] - np.linspace(0, RATE / 2, len(bins))
gaps = np.diff(edges)[:, None]
mel = np.maximum(0, np.minimum(-slopes[:-2] / gaps[:-1], slopes[2:] / gaps[1:]))
mel *= 2 / (edges[2:] - edges[:-2])[:, None]

constants = {
    'cosines': waves.real[:, None], 'sines': waves.imag[:, None], 'mel': mel, 'least': 1e-10, 'tiny': 1e-7,
    'ten': np.log(10), 'range': 8, 'four': 4, 'shape': [1, 1, SAMPLES], 'pads': [0, 0, 200, 0, 0, 200],
    'first': [0], 'last': [800], 'axis': [2],
}
front = parser.parse_model(f'''
<ir_version: {wrapped.ir_version}, opset_import: ["" : {wrapped.opset_import[0].version}]>
features (float[1, {SAMPLES}] audio) => (float[1, {MELS}, 800] features) {{
  mean = ReduceMean<keepdims = 0>(audio)
  centred = Sub(audio, mean)
  squares = Mul(centred, centred)
  variance = ReduceMean<keepdims = 0>(squares)
  above = Add(variance, tiny)
  deviation = Sqrt(above)
  normal = Div(centred, deviation)
  channel = Reshape(normal, shape)
  padded = Pad<mode = "reflect">(channel, pads)
  real = Conv<strides = [160]>(padded, cosines)
  imaginary = Conv<strides = [160]>(padded, sines)
  real2 = Mul(real, real)
  imaginary2 = Mul(imaginary, imaginary)
  power = Add(real2, imaginary2)
  frames = Slice(power, first, last, axis)
  mels = MatMul(mel, frames)
  audible = Max(mels, least)
  natural = Log(audible)
  decimal = Div(natural, ten)
  top = ReduceMax<keepdims = 0>(decimal)
  floor = Sub(top, range)
  limited = Max(decimal, floor)
  raised = Add(limited, four)
  features = Div(raised, four)
}}''')
for name, value in constants.items():
    kind = np.int64 if isinstance(value, list) else np.float32
    front.graph.initializer.append(numpy_helper.from_array(np.asarray(value, kind), name))
joined = [('front_features', wrapped.graph.input[0].name)]
onnx.save(onnx.compose.merge_models(onnx.compose.add_prefix(front, 'front_'), wrapped, joined), sys.argv[2])
